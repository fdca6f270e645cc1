// SPDX-License-Identifier: Apache-2.0

import Secrecy

/// The handling of a response body beyond a limit.
package enum ResponseLimit: Sendable, Hashable {
  /// Keep the first bytes and close the connection: only the status matters.
  case keepFirst(bytes: Int)
  /// Throw ``OutboundError/responseTooLarge``, because part of a body is of no use.
  case refuseBeyond(bytes: Int)

  var bytes: Int {
    switch self {
    case .keepFirst(let bytes), .refuseBeyond(let bytes): bytes
    }
  }
}

/// A request to an allowed address.
package struct OutboundRequest: Sendable, Unprintable {
  /// The HTTP method, which must be a token of RFC 9110.
  package var method: String
  /// The address to call, which a policy has allowed.
  package var url: CheckedURL
  /// The header fields in order; the client adds the ones for host, length and connection itself and rejects
  /// them here.
  package var headers: [(String, String)]
  /// The body; empty for none.
  package var body: [UInt8]
  /// The time limit in seconds for everything together: waiting for a slot, resolving, connecting and the
  /// whole response.
  package var timeoutSeconds: Int
  /// The limit on the body of the response.
  package var responseLimit: ResponseLimit

  /// Creates a request; by default a POST that ends after 10 seconds and keeps 64 KiB of the
  /// response.
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

/// The response of another server; a redirect is a response like any other and never followed.
package struct OutboundResponse: Sendable {
  /// The status code of the response.
  package let status: Int
  /// The header fields of the response in the order received.
  package let headers: [(name: String, value: String)]
  /// The body, at most as many bytes as the limit of the request.
  package let body: [UInt8]

  /// Creates a response.
  package init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Returns the first value of a header, whose name is compared without case; nil if it is absent.
  package func header(_ name: String) -> String? {
    let wanted = name.lowercased()
    return headers.first { $0.name.lowercased() == wanted }?.value
  }
}

extension OutboundRequest {
  /// Headers about the destination or length of a message, which the client writes itself.
  private static let reserved: Set<String> = [
    "host", "content-length", "transfer-encoding", "connection", "upgrade", "te", "trailer",
  ]

  /// True if method and headers contain nothing that would end their line or change the framing.
  var hasCleanHead: Bool {
    Self.isToken(method)
      && headers.allSatisfy { name, value in
        Self.isToken(name) && !Self.reserved.contains(name.lowercased())
          && value.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F || $0 == 0x09 }
      }
  }

  /// Returns true for a token (RFC 9110 section 5.6.2).
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
