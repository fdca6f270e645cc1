// SPDX-License-Identifier: Apache-2.0

import Encodings
import HTTPTypes
import Hummingbird

/// Compresses pages so that the length of an answer reveals nothing about its secrets (BREACH).
///
/// The attack needs a page with a secret and with text of the attacker's choice, and the lengths of
/// many answers. Pages are compressed only if the browser says that no other site caused the
/// request, and if the address has no query whose text the page could repeat. The token of the
/// forms is masked differently in each answer, and each answer has a random padding.
enum PageCompression {
  /// The compression level: a higher one costs time for each page and gains little.
  private static let level: Int32 = 6
  /// The bytes below which a page fits into one packet anyway.
  private static let smallest = 1_200
  /// The most random bytes that are added.
  private static let mostPadding = 96

  /// Returns the compressed page; nil if it should be sent as it is.
  static func packed(_ page: [UInt8], for call: Call) -> [UInt8]? {
    guard page.count >= smallest, isSafe(call),
      Gzip.isAccepted(call.request.headers[.acceptEncoding])
    else { return nil }
    return Gzip.compressed(page + padding(call.environment.random(1 + mostPadding)), level: level)
  }

  /// Returns true if neither another site nor the address can have put text into the page.
  static func isSafe(_ call: Call) -> Bool {
    guard call.request.method == .get, call.request.uri.query == nil else { return false }
    let site = call.request.headers[.secFetchSite]
    return site == "same-origin" || site == "none"
  }

  /// Returns a comment of random length that does not compress.
  private static func padding(_ random: [UInt8]) -> [UInt8] {
    guard let first = random.first else { return [] }
    let bytes = random.dropFirst().prefix(Int(first) % (mostPadding + 1))
    return Array("<!--\(Base64URL.encode(Array(bytes)))-->\n".utf8)
  }
}

/// The token of forms as pages show it: masked with random bytes, so that it is different in each
/// answer.
enum MaskedToken {
  /// The number of bytes of a token, and of the random bytes.
  static let size = 16

  /// Returns the random bytes followed by the masked token.
  static func mask(_ token: String, with random: [UInt8]) -> String {
    guard let bytes = Hexadecimal.decode(token), bytes.count == random.count else { return token }
    return Hexadecimal.encode(random) + Hexadecimal.encode(zip(bytes, random).map { $0 ^ $1 })
  }

  /// Returns the token of a posted form; one that was not masked is returned unchanged.
  static func unmask(_ text: String) -> String {
    guard text.utf8.count == 4 * size, let bytes = Hexadecimal.decode(text) else { return text }
    return Hexadecimal.encode(zip(bytes.dropFirst(size), bytes).map { $0 ^ $1 })
  }
}
