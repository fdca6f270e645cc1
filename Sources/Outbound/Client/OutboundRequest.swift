// SPDX-License-Identifier: Apache-2.0

import Secrecy

/// What to do with an answer's body beyond a limit.
package enum ResponseLimit: Sendable, Hashable {
  /// Keep the first bytes and hang up: the status is what counts.
  case keepFirst(bytes: Int)
  /// Throw ``OutboundError/responseTooLarge``: half a body is of no use.
  case refuseBeyond(bytes: Int)

  var bytes: Int {
    switch self {
    case .keepFirst(let bytes), .refuseBeyond(let bytes): bytes
    }
  }
}

/// One request to an allowed address.
package struct OutboundRequest: Sendable, Unprintable {
  package var method: String
  package var url: CheckedURL
  package var headers: [(String, String)]
  package var body: [UInt8]
  /// For everything together: waiting for a place, resolving, connecting and the whole answer.
  package var timeoutSeconds: Int
  package var responseLimit: ResponseLimit

  package init(
    method: String = "POST", url: CheckedURL, headers: [(String, String)] = [],
    body: [UInt8] = [], timeoutSeconds: Int = 10,
    responseLimit: ResponseLimit = .keepFirst(bytes: 65_536)
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeoutSeconds = timeoutSeconds
    self.responseLimit = responseLimit
  }
}

/// What another server answered; a redirect is an answer like any other and never followed.
package struct OutboundResponse: Sendable {
  package let status: Int
  package let headers: [(name: String, value: String)]
  /// At most as many bytes as the request's limit.
  package let body: [UInt8]

  package init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The first value of a header, its name in any case.
  package func header(_ name: String) -> String? {
    let wanted = name.lowercased()
    return headers.first { $0.name.lowercased() == wanted }?.value
  }
}

extension OutboundRequest {
  /// Headers that say where a message goes or ends: the client writes them itself.
  private static let reserved: Set<String> = [
    "host", "content-length", "transfer-encoding", "connection", "upgrade", "te", "trailer",
  ]

  /// Whether method and headers hold nothing that would end their line or change the framing.
  var hasCleanHead: Bool {
    Self.isToken(method)
      && headers.allSatisfy { name, value in
        Self.isToken(name) && !Self.reserved.contains(name.lowercased())
          && value.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F || $0 == 0x09 }
      }
  }

  /// A token of RFC 9110 section 5.6.2.
  private static func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}
