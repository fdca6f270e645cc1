// SPDX-License-Identifier: Apache-2.0
import Encodings
import Synchronization

/// The `Authorization` headers for push services, signed once and cached for hours (RFC 8292).
final class VAPIDTokens: Sendable {
  private struct Token {
    let header: String
    let issued: Int64
  }

  /// The validity of a token, in seconds; the RFC allows 24 hours.
  static let lifetime: Int64 = 12 * 3600
  /// The age at which a new one is signed, in seconds: well before a service with a fast clock would reject
  /// it.
  static let renewal: Int64 = 10 * 3600
  private static let rememberedOrigins = 256

  private let key: VAPIDKey
  /// A part of the claims, encoded once as JSON.
  private let subject: String
  private let tokens = Mutex<[String: Token]>([:])

  init(key: VAPIDKey, subject: String) {
    self.key = key
    self.subject = JSONText.string(subject)
  }

  /// Returns the header's value for a service; nil if the key cannot sign.
  func header(origin: String, now: Int64) -> String? {
    if let known = tokens.withLock({ $0[origin] }), (0..<Self.renewal).contains(now - known.issued)
    {
      return known.header
    }
    guard let header = sign(origin: origin, now: now) else { return nil }
    tokens.withLock { tokens in
      if tokens.count >= Self.rememberedOrigins { tokens.removeAll() }
      tokens[origin] = Token(header: header, issued: now)
    }
    return header
  }

  private func sign(origin: String, now: Int64) -> String? {
    let claims =
      #"{"aud":\#(JSONText.string(origin)),"exp":\#(now + Self.lifetime),"sub":\#(subject)}"#
    let message =
      Base64URL.encode(#"{"typ":"JWT","alg":"ES256"}"#.utf8) + "." + Base64URL.encode(claims.utf8)
    guard let signature = try? key.signature(for: Array(message.utf8)) else { return nil }
    return "vapid t=\(message).\(Base64URL.encode(signature)), k=\(key.publicKey)"
  }
}

/// A JSON string with its quotes (RFC 8259 section 7).
enum JSONText {
  static func string(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\u{00}"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
