// SPDX-License-Identifier: Apache-2.0

import Encodings
import FHIR
import Foundation
import Identifiers
import Synchronization
import Testing
import TestSupport

@testable import Exchange

/// A FHIR server without a network, which can be told to misbehave.
final class FakeHospital: Sendable {
  static let base = "https://fhir.example/r4"

  struct State {
    var version = "4.0.1"
    var software = "City"
    var resources: [String: JSONValue] = [:]
    var types = ["Patient", "MedicationRequest", "Medication", "MedicationAdministration"]
    var requests: [HospitalRequest] = []
    /// Answers that replace the server's own, by a prefix of the address; each is used once.
    var instead: [(prefix: String, answer: Result<HospitalAnswer, HospitalTrouble>)] = []
    var takesConditions = true
    var pageSize = 50
    var next = 1
    /// True to offer the history of types, with its deletions.
    var hasHistory = false
    /// The addresses of deleted resources, which are answered with 410.
    var deleted: [String] = []
    /// The number of matches that a search announces; nil for the true one.
    var total: Int?
  }

  let state = Mutex(State())

  init() {
    put(
      """
      {"resourceType":"Patient","id":"p1","identifier":[{"system":"urn:mrn","value":"7"}],
       "name":[{"family":"Example","given":["Ann"]}],"birthDate":"1948-07-02"}
      """)
  }

  var network: HospitalNetwork {
    HospitalNetwork { request throws(HospitalTrouble) in try self.answer(request) }
  }

  func put(_ text: String) {
    guard let json = try? JSONValue(parsing: Array(text.utf8)) else {
      Issue.record("no JSON: \(text)")
      return
    }
    put(json)
  }

  func put(_ json: JSONValue) {
    let key = "\(json["resourceType"]?.string ?? "")/\(json["id"]?.string ?? "")"
    state.withLock { $0.resources[key] = json }
  }

  func prescribe(
    _ id: String, name: String = "Bisoprolol 2.5 mg", times: [String] = ["08:00:00"],
    status: String = "active", patient: PatientID = "p1", updated: String = "2026-02-27T10:00:00Z",
    medicine: JSONValue? = nil, identifier: String? = nil, further: String? = nil
  ) {
    var request: JSONValue = [
      "resourceType": "MedicationRequest", "id": .string(id), "status": .string(status),
      "intent": "order", "meta": ["lastUpdated": .string(updated), "versionId": "1"],
      "subject": ["reference": .string("Patient/\(patient)")],
      "dosageInstruction": [
        [
          "timing": ["repeat": ["timeOfDay": .array(times.map { .string($0) })]],
          "doseAndRate": [["doseQuantity": ["value": 1, "unit": "tablet"]]],
        ]
      ],
    ]
    if let medicine {
      request["medicationReference"] = medicine
    } else {
      request["medicationCodeableConcept"] = ["text": .string(name)]
    }
    let identifiers = [identifier, further].compactMap(\.self)
    if !identifiers.isEmpty {
      request["identifier"] = .array(
        identifiers.map { ["system": "urn:rx", "value": .string($0)] })
    }
    put(request)
  }

  /// Removes a resource; a server that does not say so answers as if it had never been there.
  func remove(_ key: String, saysSo: Bool = true) {
    state.withLock { state in
      state.resources[key] = nil
      if saysSo { state.deleted.append(key) }
    }
  }

  func fail(_ prefix: String, _ trouble: HospitalTrouble, times: Int = 1) {
    state.withLock { state in
      for _ in 0..<times { state.instead.append((prefix, .failure(trouble))) }
    }
  }

  func answer(
    _ prefix: String, _ status: Int, _ body: String = "", _ headers: [String: String] = [:]
  ) {
    state.withLock {
      $0.instead.append(
        (
          prefix,
          .success(HospitalAnswer(status: status, headers: headers, body: Array(body.utf8)))
        ))
    }
  }

  func administrations() -> [JSONValue] {
    state.withLock { state in
      state.resources.filter { $0.key.hasPrefix("MedicationAdministration/") }
        .sorted { $0.key < $1.key }.map(\.value)
    }
  }

  func requests(_ method: String, _ part: String) -> [HospitalRequest] {
    state.withLock { $0.requests.filter { $0.method == method && $0.url.contains(part) } }
  }

  // MARK: Serving

  private func answer(_ request: HospitalRequest) throws(HospitalTrouble) -> HospitalAnswer {
    let instead: Result<HospitalAnswer, HospitalTrouble>? = state.withLock { state in
      state.requests.append(request)
      guard
        let index = state.instead.firstIndex(where: {
          request.url.hasPrefix("\(Self.base)/\($0.prefix)")
        })
      else { return nil }
      return state.instead.remove(at: index).answer
    }
    if let instead { return try instead.get() }
    guard request.url.hasPrefix("\(Self.base)/") else { throw .address }
    let rest = request.url.dropFirst(Self.base.count + 1)
    let path = String(rest.prefix { $0 != "?" })
    let query = rest.dropFirst(path.count + 1).split(separator: "&").map { pair in
      pair.split(separator: "=", maxSplits: 1).map { String($0).removingPercentEncoding ?? "" }
    }
    return state.withLock { state in
      switch request.method {
      case "POST": Self.create(request, &state)
      case "PUT": Self.update(path, request, &state)
      default: Self.read(path, query, &state)
      }
    }
  }

  private static func read(
    _ path: String, _ query: [[String]], _ state: inout State
  ) -> HospitalAnswer {
    if path == "metadata" {
      let metadata: JSONValue = [
        "resourceType": "CapabilityStatement", "fhirVersion": .string(state.version),
        "software": ["name": .string(state.software)],
        "rest": [["resource": .array(state.types.map { resource($0, state) })]],
      ]
      return HospitalAnswer(status: 200, body: metadata.bytes)
    }
    if path.hasSuffix("/_history") { return history(path, state) }
    if path.contains("/") {
      guard let found = state.resources[path] else {
        return HospitalAnswer(status: state.deleted.contains(path) ? 410 : 404)
      }
      return HospitalAnswer(status: 200, body: found.bytes)
    }
    func value(_ name: String) -> String? { query.first { $0.first == name }?.last }
    var matches = state.resources.filter { $0.key.hasPrefix("\(path)/") }.sorted { $0.key < $1.key }
      .map(\.value)
    if let patient = value("patient") {
      matches = matches.filter {
        ($0["subject"] ?? $0["patient"])?["reference"]?.string == "Patient/\(patient)"
      }
    }
    if let since = value("_lastUpdated")?.dropFirst(2), let bound = FHIRDateTime(String(since)) {
      matches = matches.filter {
        guard let text = $0["meta"]?["lastUpdated"]?.string else { return true }
        return (FHIRDateTime(text)?.epochMilliseconds ?? 0) >= (bound.epochMilliseconds ?? 0)
      }
    }
    if let identifier = value("identifier") {
      matches = matches.filter { resource in
        (resource["identifier"]?.array ?? []).contains {
          identifier == "\($0["system"]?.string ?? "")|\($0["value"]?.string ?? "")"
        }
      }
    }
    let start = value("start").flatMap { Int($0) } ?? 0
    let page = matches.dropFirst(start).prefix(state.pageSize)
    var bundle: JSONValue = [
      "resourceType": "Bundle", "type": "searchset",
      "entry": .array(page.map { ["resource": $0] }),
      "total": .number(JSONNumber(state.total ?? matches.count)),
    ]
    if start + page.count < matches.count {
      let others = query.filter { $0.first != "start" }.map { ($0[0], $0.last ?? "") }
      let next = FormEncoding.encode(others + [("start", "\(start + page.count)")])
      bundle["link"] = [
        ["relation": "next", "url": .string("\(base)/\(path)?\(next)")]
      ]
    }
    return HospitalAnswer(status: 200, body: bundle.bytes)
  }

  private static func resource(_ type: String, _ state: State) -> JSONValue {
    var resource: JSONValue = ["type": .string(type)]
    if state.hasHistory { resource["interaction"] = [["code": "history-type"]] }
    return resource
  }

  private static func history(_ path: String, _ state: State) -> HospitalAnswer {
    guard state.hasHistory else { return HospitalAnswer(status: 404) }
    let type = path.prefix { $0 != "/" }
    let entries: [JSONValue] = state.deleted.filter { $0.hasPrefix("\(type)/") }.map {
      ["request": ["method": "DELETE", "url": .string($0)], "response": ["status": "410"]]
    }
    let bundle: JSONValue = [
      "resourceType": "Bundle", "type": "history", "entry": .array(entries),
    ]
    return HospitalAnswer(status: 200, body: bundle.bytes)
  }

  private static func create(_ request: HospitalRequest, _ state: inout State) -> HospitalAnswer {
    guard var json = try? JSONValue(parsing: request.body),
      let type = json["resourceType"]?.string
    else { return HospitalAnswer(status: 400) }
    let identifier = json["identifier"]?[0]?["value"]?.string
    if state.takesConditions, request.headers["If-None-Exist"] != nil,
      let known = state.resources.first(where: {
        $0.key.hasPrefix("\(type)/") && $0.value["identifier"]?[0]?["value"]?.string == identifier
      })
    {
      return HospitalAnswer(status: 200, body: known.value.bytes)
    }
    let id = "n\(state.next)"
    state.next += 1
    json["id"] = .string(id)
    state.resources["\(type)/\(id)"] = json
    return HospitalAnswer(
      status: 201, headers: ["location": "\(base)/\(type)/\(id)/_history/1"], body: json.bytes)
  }

  private static func update(
    _ path: String, _ request: HospitalRequest, _ state: inout State
  ) -> HospitalAnswer {
    guard let json = try? JSONValue(parsing: request.body), state.resources[path] != nil else {
      return HospitalAnswer(status: 404)
    }
    state.resources[path] = json
    return HospitalAnswer(status: 200, body: json.bytes)
  }
}
