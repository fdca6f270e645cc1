// SPDX-License-Identifier: Apache-2.0

import FHIR
import Web

/// The Bundle that answers a search: the results, their total, and the link to the next page.
///
/// It is written around the bytes of the resources without parsing them.
struct SearchBundle: Sendable {
  /// The reason why a resource is in the Bundle.
  enum Mode: String, Sendable {
    case match, include, outcome
  }

  /// The address of the FHIR API.
  let base: String
  /// The address of the search, without its parameters.
  let address: String
  /// The parameters that were applied, for the links.
  let used: [(String, String)]
  /// The total number of results; nil if it is not wanted.
  let total: Int?
  /// The sealed place after which the next page begins; nil on the last page.
  var next: String?
  private var entries: [UInt8] = []

  init(
    base: String, address: String, used: [(String, String)], total: Int?, next: String? = nil
  ) {
    self.base = base
    self.address = address
    self.used = used
    self.total = total
    self.next = next
  }

  /// Adds the wanted part of a resource.
  mutating func append(_ resource: FoundResource, _ subset: ResourceSubset, mode: Mode) {
    begin()
    entries.append(contentsOf: "\"fullUrl\":".utf8)
    JSONValue.string("\(base)/\(resource.type.rawValue)/\(resource.id)").write(into: &entries)
    entries.append(contentsOf: ",\"resource\":".utf8)
    subset.append(resource, to: &entries)
    end(mode)
  }

  /// Adds remarks about the search.
  mutating func append(_ issues: [FHIRIssue]) {
    begin()
    entries.append(contentsOf: "\"resource\":".utf8)
    OperationOutcomeBuilder.json(issues).write(into: &entries)
    end(.outcome)
  }

  private mutating func begin() {
    entries.append(contentsOf: entries.isEmpty ? ",\"entry\":[{".utf8 : ",{".utf8)
  }

  private mutating func end(_ mode: Mode) {
    entries.append(contentsOf: ",\"search\":{\"mode\":\"\(mode.rawValue)\"}}".utf8)
  }

  /// The bytes of the Bundle.
  var bytes: [UInt8] {
    var links = [Self.link("self", address, used)]
    if let next { links.append(Self.link("next", address, used + [("_cursor", next)])) }
    var head: JSONValue = ["resourceType": "Bundle", "type": "searchset"]
    head["total"] = total.map { .number(JSONNumber($0)) }
    head["link"] = .array(links)
    var bytes = head.bytes
    if !entries.isEmpty {
      bytes.removeLast()
      bytes.reserveCapacity(bytes.count + entries.count + 2)
      bytes.append(contentsOf: entries)
      bytes.append(contentsOf: "]}".utf8)
    }
    return bytes
  }

  /// Returns a link with its parameters.
  static func link(
    _ relation: String, _ address: String, _ parameters: [(String, String)]
  ) -> JSONValue {
    let query = parameters.map { "\(QueryText.encode($0.0))=\(QueryText.encode($0.1))" }
    let whole = query.isEmpty ? address : "\(address)?\(query.joined(separator: "&"))"
    return ["relation": .string(relation), "url": .string(whole)]
  }
}
