// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import Hummingbird
import Web

/// The part of each resource that a client wants, from `_summary` or `_elements`.
struct ResourceSubset: Sendable {
  private let summary: SearchSummary?
  private let elements: [String]

  init(summary: SearchSummary?, elements: [String]) {
    self.summary = summary == .false ? nil : summary
    self.elements = elements
  }

  /// Reads the wanted part of a resource of a type from the query of a read, as a search does.
  ///
  /// - Throws: The failure 400 that names the parameter.
  init(reading call: Call, of type: FHIRType) throws {
    let pairs = try FHIRQuery.pairs(call.request.uri.query ?? "")
      .filter { $0.name == "_summary" || $0.name == "_elements" }
    var request = SearchRequest()
    if let type = type.resourceType {
      do throws(SearchProblem) {
        request = try SearchRequestParser.parse(pairs, type: type, base: "", isLenient: false)
      } catch {
        throw error.failure
      }
    }
    guard request.summary != .count else {
      throw Failure.element(
        .badRequest, .value, "_summary",
        "_summary must be true, text, data or false when one resource is read.")
    }
    self.init(summary: request.summary, elements: request.elements)
  }

  /// True if nothing is left out.
  var isWhole: Bool { elements.isEmpty && summary == nil }

  /// Returns the bytes of a resource, which are read only if something must be left out.
  func body(of resource: FoundResource) -> [UInt8] {
    guard !isWhole, let object = resource.json?.object else { return resource.body }
    return JSONValue.object(part(of: object, resource.type)).bytes
  }

  /// Adds the bytes of a resource to others.
  func append(_ resource: FoundResource, to bytes: inout [UInt8]) {
    guard isWhole else { return bytes.append(contentsOf: body(of: resource)) }
    resource.append(to: &bytes)
  }

  /// Returns the wanted part of a resource with the tag that it is not whole.
  func part(of resource: JSONObject, _ type: FHIRType) -> JSONObject {
    var part = JSONObject()
    for (name, value) in resource where keeps(name, type) { part[name] = value }
    part["meta"] = Self.tagged(resource["meta"])
    return part
  }

  private func keeps(_ name: String, _ type: FHIRType) -> Bool {
    let base = name.hasPrefix("_") ? String(name.dropFirst()) : name
    if Self.always.contains(base) { return true }
    if !elements.isEmpty {
      return Self.contains(elements, base) || Self.contains(ResourceElements.mandatory(type), base)
    }
    switch summary {
    case .data: return base != "text"
    case .text: return base == "text" || Self.contains(ResourceElements.mandatory(type), base)
    case .true: return Self.contains(ResourceElements.summary(type), base)
    case .count, .false, nil: return true
    }
  }

  private static let always: Set<String> = [
    "resourceType", "id", "meta", "implicitRules", "modifierExtension",
  ]

  /// Returns true if a list has an element, which may be a choice with its type, as in `valueQuantity`.
  private static func contains(_ names: [String], _ element: String) -> Bool {
    names.contains { name in
      guard element.hasPrefix(name) else { return false }
      let rest = element.dropFirst(name.count)
      guard let next = rest.first else { return true }
      return next.isUppercase && ResourceElements.choices.contains(name)
    }
  }

  private static func tagged(_ meta: JSONValue?) -> JSONValue {
    var meta = meta ?? .object(JSONObject())
    let tag: JSONValue = [
      "system": "http://terminology.hl7.org/CodeSystem/v3-ObservationValue", "code": "SUBSETTED",
    ]
    meta["tag"] = .array((meta["tag"]?.array ?? []) + [tag])
    return meta
  }
}
