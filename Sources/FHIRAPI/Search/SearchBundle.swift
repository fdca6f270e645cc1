// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Hummingbird
import Records
import Web

/// The Bundle that answers a search: the results, their total, and the link to the next page.
///
/// It is written around the bytes of the resources without parsing them.
struct SearchBundle: Sendable {
  /// The address of the search, without its parameters.
  let base: String
  /// The parameters that were applied, for the links.
  let used: [(String, String)]
  /// The total number of results.
  let total: Int
  /// The start of the next page; nil on the last one.
  var next: RecordCursor?
  private var entries: [UInt8] = []

  init(base: String, used: [(String, String)], total: Int, next: RecordCursor? = nil) {
    self.base = base
    self.used = used
    self.total = total
    self.next = next
  }

  /// Reserves capacity for resources, in bytes.
  mutating func reserve(bytes: Int) { entries.reserveCapacity(bytes) }

  /// Adds a resource that is already JSON.
  mutating func append(id: String, body: some Collection<UInt8>) {
    entries.append(contentsOf: entries.isEmpty ? ",\"entry\":[".utf8 : ",".utf8)
    entries.append(contentsOf: "{\"fullUrl\":".utf8)
    JSONValue.string("\(base)/\(id)").write(into: &entries)
    entries.append(contentsOf: ",\"resource\":".utf8)
    entries.append(contentsOf: body)
    entries.append(contentsOf: ",\"search\":{\"mode\":\"match\"}}".utf8)
  }

  /// Returns the answer; the link to the next page works only for this session or token.
  func response(_ signedIn: SignedIn) -> Response {
    var links: [JSONValue] = [link("self", used)]
    if let next {
      let cursor = SearchCursor(credential: signedIn.credential).seal(next)
      links.append(link("next", used.filter { $0.0 != "_cursor" } + [("_cursor", cursor)]))
    }
    let head: JSONValue = [
      "resourceType": "Bundle", "type": "searchset", "total": .number(JSONNumber(total)),
      "link": .array(links),
    ]
    var bytes = head.bytes
    if !entries.isEmpty {
      bytes.removeLast()
      bytes.reserveCapacity(bytes.count + entries.count + 2)
      bytes.append(contentsOf: entries)
      bytes.append(contentsOf: "]}".utf8)
    }
    return JSONResponse.make(bytes: bytes, mediaType: FHIRMedia.type)
  }

  private func link(_ relation: String, _ parameters: [(String, String)]) -> JSONValue {
    let query = parameters.map { "\(QueryText.encode($0.0))=\(QueryText.encode($0.1))" }
    let address = query.isEmpty ? base : "\(base)?\(query.joined(separator: "&"))"
    return ["relation": .string(relation), "url": .string(address)]
  }
}
