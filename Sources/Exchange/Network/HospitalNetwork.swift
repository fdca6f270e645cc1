// SPDX-License-Identifier: Apache-2.0

import FHIR
import Outbound

/// One request to a hospital's server.
package struct HospitalRequest: Sendable, Hashable {
  package var method: String
  package var url: String
  package var headers: [String: String]
  package var body: [UInt8]

  package init(
    method: String = "GET", url: String, headers: [String: String] = [:], body: [UInt8] = []
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// What it answered.
package struct HospitalAnswer: Sendable, Hashable {
  package let status: Int
  /// By their names in lower case.
  package let headers: [String: String]
  package let body: [UInt8]

  package init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// The way to hospitals' servers: through the one outbound client, or whatever stands in for it.
package struct HospitalNetwork: Sendable {
  package typealias Send =
    @Sendable (HospitalRequest) async throws(HospitalTrouble) -> HospitalAnswer

  let send: Send

  package init(_ send: @escaping Send) {
    self.send = send
  }

  /// Nobody can be reached.
  package static let none = HospitalNetwork { _ throws(HospitalTrouble) in throw .unreachable }

  /// The longest answer, unpacked.
  package static let maximumBytes = 16 * 1024 * 1024

  /// Through a client that the policy's hosts alone are open to.
  ///
  /// - Parameter unpack: unpacks gzip within a limit; nil for what is broken or would be longer.
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
            body: request.body, timeoutSeconds: 30,
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
