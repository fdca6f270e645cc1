// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Identifiers
import Records

/// The place where the next page begins, sealed so that only the same credential can use it.
struct SearchCursor: Sendable {
  let credential: SessionID

  func seal(_ cursor: RecordCursor) -> String {
    let place = "\(cursor.patient)/\(cursor.id)"
    return "\(place)/\(mac(of: place))"
  }

  func open(_ text: String) -> RecordCursor? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, parts[2] == mac(of: "\(parts[0])/\(parts[1])") else { return nil }
    return RecordCursor(patient: PatientID(parts[0]), id: parts[1])
  }

  private func mac(of place: String) -> String {
    let code = Fingerprint.code(
      for: Array(place.utf8), key: Array("cursor:\(credential)".utf8))
    return Base64URL.encode(Array(code.prefix(12)))
  }
}

/// Percent-encoding of names and values in a query.
enum QueryText {
  static func encode(_ text: String) -> String {
    let hexadecimal = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."), UInt8(ascii: "~"), UInt8(ascii: "/"), UInt8(ascii: ":"),
        UInt8(ascii: ","):
        result.append(byte)
      default:
        result.append(UInt8(ascii: "%"))
        result.append(hexadecimal[Int(byte >> 4)])
        result.append(hexadecimal[Int(byte & 0x0F)])
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
