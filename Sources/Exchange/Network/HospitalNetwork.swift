// SPDX-License-Identifier: Apache-2.0

import FHIR
import Outbound

/// A request to a hospital's server.
package struct HospitalRequest: Sendable, Hashable {
  /// The HTTP method.
  package var method: String
  /// The whole address.
  package var url: String
  /// The header fields by name.
  package var headers: [String: String]
  /// The content; empty for none.
  package var body: [UInt8]
  /// The time limit in seconds for everything together.
  package var timeoutSeconds: Int

  /// Creates a request.
  package init(
    method: String = "GET", url: String, headers: [String: String] = [:], body: [UInt8] = [],
    timeoutSeconds: Int = 30
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeoutSeconds = timeoutSeconds
  }
}

/// The answer of a hospital's server.
package struct HospitalAnswer: Sendable, Hashable {
  /// The HTTP status.
  package let status: Int
  /// The header fields by name, in lower case.
  package let headers: [String: String]
  /// The content after decompression; empty if it could not be decompressed.
  package let body: [UInt8]

  /// Creates an answer; the names of header fields must be in lower case.
  package init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// The network access to hospitals' servers: through the outbound client, or a replacement in
/// tests.
package struct HospitalNetwork: Sendable {
  /// Sends a request and returns the answer, whatever its status.
  package typealias Send =
    @Sendable (HospitalRequest) async throws(HospitalTrouble) -> HospitalAnswer

  let send: Send

  /// Creates an access from a function that sends requests.
  package init(_ send: @escaping Send) {
    self.send = send
  }

  /// An access that reaches no server.
  package static let none = HospitalNetwork { _ throws(HospitalTrouble) in throw .unreachable }

  /// The largest answer after decompression, in bytes.
  package static let maximumBytes = 16 * 1024 * 1024

  /// Creates an access through the outbound client, which reaches only the hosts that the policy
  /// allows.
  ///
  /// - Parameter unpack: Decompresses gzip up to a limit in bytes; nil if it is broken or longer.
  package init(
    client: OutboundClient, policy: OutboundPolicy,
    unpack: @escaping @Sendable (_ packed: [UInt8], _ limit: Int) -> [UInt8]?
  ) {
    send = { request throws(HospitalTrouble) in
      do throws(OutboundError) {
        let answer = try await client.send(
          OutboundRequest(
            method: request.method, url: try policy.check(request.url),
            headers: request.headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
            body: request.body, timeoutSeconds: request.timeoutSeconds,
            responseLimit: .refuseBeyond(bytes: Self.maximumBytes)))
        var body: [UInt8]? = answer.body
        if let coding = answer.header("content-encoding"), coding.lowercased() != "identity" {
          body = coding.lowercased() == "gzip" ? unpack(answer.body, Self.maximumBytes) : nil
        }
        guard let body else { return HospitalAnswer(status: answer.status) }
        return HospitalAnswer(
          status: answer.status,
          headers: Dictionary(
            answer.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { $1 }),
          body: body)
      } catch {
        throw HospitalTrouble(error)
      }
    }
  }
}

extension HospitalTrouble {
  init(_ error: OutboundError) {
    switch error {
    case .notAllowed, .privateAddress: self = .address
    case .responseTooLarge: self = .tooLarge
    case .resolution, .timeout, .connection, .tls, .circuitOpen, .closed: self = .unreachable
    }
  }
}
