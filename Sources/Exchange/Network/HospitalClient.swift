// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Secrecy

/// A client for one FHIR server, which reads answers strictly.
package struct HospitalClient: Sendable, Unprintable {
  /// The network access.
  package let network: HospitalNetwork
  /// The base address of the server.
  package let base: HospitalAddress
  /// The bearer token; nil for a server that is open to everyone.
  package let token: String?
  /// The version of FHIR, which decides the media types.
  package let version: HospitalVersion

  /// Creates a client; the version is R4 until the metadata say otherwise.
  package init(
    network: HospitalNetwork, base: HospitalAddress, token: String?, version: HospitalVersion = .r4
  ) {
    self.network = network
    self.base = base
    self.token = token
    self.version = version
  }

  /// The result of requesting a document.
  enum Found: Sendable {
    case document(JSONValue, etag: String?)
    /// The document is unchanged.
    case unchanged
  }

  /// Fetches a document below the base; returns unchanged if the tag is still current.
  func get(_ url: String, tag: String? = nil) async throws(HospitalTrouble) -> Found {
    var headers = self.headers
    if let tag, tag.utf8.count <= 200, tag.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) {
      headers["If-None-Match"] = tag
    }
    let answer = try await network.send(HospitalRequest(url: url, headers: headers))
    if answer.status == 304, tag != nil { return .unchanged }
    guard answer.status == 200 else { throw Self.trouble(answer) }
    return .document(try Self.json(answer.body), etag: answer.headers["etag"])
  }

  /// Fetches a document that must be returned.
  func document(_ url: String) async throws(HospitalTrouble) -> JSONValue {
    guard case .document(let json, _) = try await get(url) else { throw .unexpected }
    return json
  }

  /// Posts or puts a resource.
  func send(
    _ method: String, _ url: String, _ resource: JSONValue, headers further: [String: String] = [:]
  ) async throws(HospitalTrouble) -> HospitalAnswer {
    var headers = self.headers
    headers["Content-Type"] =
      version == .dstu2 ? "application/json+fhir" : "application/fhir+json"
    headers.merge(further) { $1 }
    let answer = try await network.send(
      HospitalRequest(method: method, url: url, headers: headers, body: resource.bytes))
    guard answer.status == 200 || answer.status == 201 else { throw Self.trouble(answer) }
    return answer
  }

  private var headers: [String: String] {
    var headers = [
      "Accept": version == .dstu2
        ? "application/json+fhir, application/fhir+json;q=0.9, application/json;q=0.8"
        : "application/fhir+json, application/json;q=0.9",
      "Accept-Encoding": "gzip",
    ]
    if let token { headers["Authorization"] = "Bearer \(token)" }
    return headers
  }

  static func json(_ body: [UInt8]) throws(HospitalTrouble) -> JSONValue {
    do {
      let json = try JSONValue(parsing: body)
      guard json.object != nil else { throw HospitalTrouble.unexpected }
      return json
    } catch let trouble as HospitalTrouble {
      throw trouble
    } catch {
      throw .broken
    }
  }

  static func trouble(_ answer: HospitalAnswer) -> HospitalTrouble {
    switch answer.status {
    case 300...399: .redirect
    case 401: .expired
    case 403: .forbidden
    case 404: .notFound
    case 408: .failing(status: 408)
    case 410: .gone
    case 429, 503: .busy(seconds: answer.headers["retry-after"].flatMap { Int($0) })
    case 400...499: .refused(status: answer.status, words: words(answer.body))
    default: .failing(status: answer.status)
    }
  }

  /// Returns the short text of an OperationOutcome.
  private static func words(_ body: [UInt8]) -> String? {
    guard let json = try? JSONValue(parsing: body),
      json["resourceType"]?.string == "OperationOutcome"
    else { return nil }
    for issue in json["issue"]?.array ?? [] {
      let text = issue["diagnostics"]?.string ?? issue["details"]?["text"]?.string
      if let text, !text.isEmpty { return String(text.prefix(300)) }
    }
    return nil
  }
}

/// The supported versions of FHIR.
package enum HospitalVersion: String, Sendable, Hashable, CaseIterable {
  /// FHIR R4, and R4B.
  case r4 = "R4"
  /// FHIR DSTU2.
  case dstu2 = "DSTU2"

  /// Creates the version from `fhirVersion` of the metadata.
  ///
  /// - Throws: ``HospitalTrouble/version(_:)`` for any other version.
  package init(metadata text: String) throws(HospitalTrouble) {
    if text.hasPrefix("4.0") || text.hasPrefix("4.3") {
      self = .r4
    } else if text.hasPrefix("1.0") {
      self = .dstu2
    } else {
      throw .version(String(text.prefix(12)))
    }
  }
}
