// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import Storage
import Web

/// The criteria of a conditional change, such as `identifier=system|value`.
struct ConditionalSearch {
  let type: ResourceType
  /// The criteria as in the query of an address.
  let query: String
  let write: FHIRWriteContext

  /// Returns the ids of the resources that match, of those that the actor may find.
  ///
  /// - Throws: The failure 400 for an unknown parameter, and 412 if no criterion is left: a change
  ///   never applies to everything.
  func ids(limit: Int, in reader: any SQLReader) throws -> [String] {
    guard let served = FHIRType(rawValue: type.rawValue) else { throw Failure.notFound }
    let pairs = try FHIRQuery.pairs(query)
    let request: SearchRequest
    do throws(SearchProblem) {
      request = try SearchRequestParser.parse(
        pairs, type: type, base: write.caller.base, isLenient: false)
    } catch {
      throw error.failure
    }
    guard !request.criteria.isEmpty else {
      throw Failure(
        .preconditionFailed, code: FHIRIssueCode.required.rawValue,
        detail: "Name at least one search parameter, such as identifier=system|value.")
    }
    let search = ResourceQuery(
      type: served, criteria: request.criteria, count: limit, wantsTotal: false)
    return try ResourceFinder(caller: write.caller).page(search, in: reader).resources.map(\.id)
  }
}
