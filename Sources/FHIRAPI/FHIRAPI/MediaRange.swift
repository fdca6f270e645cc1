// SPDX-License-Identifier: Apache-2.0

/// A media type, or a range of them, with its parameters, in lower case.
struct MediaRange {
  /// The type without its parameters.
  let essence: String
  let parameters: [String: String]

  init(_ text: String) {
    let parts = text.lowercased().utf8.split(
      separator: UInt8(ascii: ";"), omittingEmptySubsequences: false
    ).map { part in String(decoding: part.filter(Self.isKept), as: UTF8.self) }
    essence = parts.first ?? ""
    var parameters: [String: String] = [:]
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
      if pair.count == 2 { parameters[pair[0]] = pair[1] }
    }
    self.parameters = parameters
  }

  /// Returns false for blanks and quotes, which mean nothing here.
  private static func isKept(_ byte: UInt8) -> Bool {
    byte > UInt8(ascii: " ") && byte != UInt8(ascii: "\"")
  }

  /// The preference in an `Accept` field, from 0 to 1.
  var quality: Double { parameters["q"].map { Double($0) ?? 0 } ?? 1 }

  /// Returns true if the range contains a media type.
  func contains(_ other: MediaRange) -> Bool {
    if essence == "*/*" || essence == other.essence { return true }
    return essence.hasSuffix("/*") && other.essence.hasPrefix(essence.dropLast())
  }

  /// True unless a version of FHIR other than R4 is stated.
  var isFourOrUnstated: Bool { ["4.0", "4.0.1", nil].contains(parameters["fhirversion"]) }
}
