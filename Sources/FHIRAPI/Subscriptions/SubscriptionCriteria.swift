// SPDX-License-Identifier: Apache-2.0

import CareTeam
import FHIR
import Web

/// Reads the criteria of a Subscription: a topic with filters, or a search as in R4.
enum SubscriptionCriteria {
  private static let mostFilters = 10

  /// Returns the topic and the conditions on the resource that an event is about.
  ///
  /// - Throws: The failure 422 for criteria that this server cannot follow.
  static func read(
    _ resource: JSONValue, base: String
  ) throws -> (topic: EventTopic, filters: [SearchCriterion]) {
    let text = resource["criteria"]?.string ?? ""
    if let topic = EventTopic(canonical: text) {
      let stated = SubscriptionBackport.values(
        resource["_criteria"], SubscriptionBackport.filter)
      guard stated.count <= mostFilters else {
        throw wrong(.tooCostly, "There can be at most \(mostFilters) filters.")
      }
      return (topic, try stated.flatMap { try filter($0.string ?? "", of: topic, base: base) })
    }
    let name = text.prefix { $0 != "?" }
    // Without a topic, a search of the type stands for its changes.
    guard
      let topic = EventTopic.allCases.first(where: { $0.isOfChanges && $0.focus.rawValue == name })
    else {
      throw wrong(
        .notSupported,
        "Use a topic of this server, or a search of MedicationRequest or MedicationAdministration.")
    }
    return (topic, try filter(text, of: topic, base: base))
  }

  /// Reads a search such as `MedicationRequest?status=active`.
  private static func filter(
    _ text: String, of topic: EventTopic, base: String
  ) throws -> [SearchCriterion] {
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.first.map(String.init) == topic.focus.rawValue else {
      throw wrong(.value, "Filters of this topic are searches of \(topic.focus.rawValue).")
    }
    let pairs = try pairs(of: parts.count == 2 ? String(parts[1]) : "")
    let request: SearchRequest
    do throws(SearchProblem) {
      request = try SearchRequestParser.parse(
        pairs, type: topic.focus, base: base, isLenient: false)
    } catch {
      throw wrong(error.code, error.diagnostics)
    }
    guard request.used.count == request.criteria.count else {
      throw wrong(.notSupported, "Criteria have only conditions, no parameters of the result.")
    }
    for criterion in request.criteria {
      switch criterion.test {
      case .chain, .has:
        throw wrong(.notSupported, "Criteria cannot follow references to other resources.")
      default: break
      }
    }
    return request.criteria
  }

  /// Returns the names and values of a search, which are read as strictly as those of a request.
  private static func pairs(of query: String) throws -> [(name: String, value: String)] {
    do {
      return try FHIRQuery.pairs(query)
    } catch let failure as Failure {
      throw wrong(.value, failure.detail)
    }
  }

  private static func wrong(_ code: FHIRIssueCode, _ diagnostics: String) -> Failure {
    SubscriptionDraft.wrong("criteria", code, diagnostics)
  }
}
