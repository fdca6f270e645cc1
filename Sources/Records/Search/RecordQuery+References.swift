// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Identifiers
import Storage

/// Conditions on references, and on the resources at their other end.
///
/// A chain looks only at resources of the types and patients that the search was allowed to see, and between records
/// of patients only at those of the same patient.
extension RecordQuery {
  mutating func appendReferences(
    _ parameter: String, _ values: [ReferenceSearchValue], _ scope: RecordScope
  ) {
    var identifiers: [TokenSearchValue] = []
    var references: [(type: String?, id: String)] = []
    var pairs: [RecordEntryPair] = []
    var ids: [String] = []
    for value in values {
      switch value {
      case .local(let type, let id): references.append((type, id))
      case .absolute(let address): references.append(("", address))
      case .identifier(let token): identifiers.append(token)
      }
    }
    for reference in references {
      let id = RecordIndexText.token(reference.id)
      if let type = reference.type {
        pairs.append(RecordEntryPair(value: id, detail: type))
      } else {
        ids.append(id)
      }
    }
    let owners = ownerIDs(references, parameter, scope)
    if let patient = scope.onlyPatient, owners.contains(patient.text) { return appendAlways() }
    append("(")
    if !owners.isEmpty { append("r.patient IN (", list: owners.map { .text($0) }) }
    if !references.isEmpty {
      if !owners.isEmpty { append(" OR ") }
      beginEntries(parameter, scope)
      append(" AND ")
      appendEntries(pairs, "detail <> '' AND value IN (", ids)
      append(")")
    }
    if !identifiers.isEmpty {
      if !references.isEmpty { append(" OR ") }
      beginEntries("\(parameter):identifier", scope)
      append(" AND ")
      appendTokenEntries(identifiers)
      append(")")
    }
    if values.isEmpty { appendNever() }
    append(")")
  }

  /// Returns the patients among references that the owner's column answers.
  private func ownerIDs(
    _ references: [(type: String?, id: String)], _ parameter: String, _ scope: RecordScope
  ) -> [String] {
    guard isOwner(parameter, scope) else { return [] }
    return references.compactMap { $0.type ?? "Patient" == "Patient" ? $0.id : nil }
  }

  private func isOwner(_ parameter: String, _ scope: RecordScope) -> Bool {
    !scope.isShared && SearchParameterTables.ownerParameters(of: scope.type).contains(parameter)
  }

  /// Returns what may be looked at of another type: nothing without an authorization, and of records of patients
  /// only those of the patients that the search itself covers.
  private func other(_ type: ResourceType, beside scope: RecordScope) -> RecordScope {
    guard let allowed = chainAuthorizations[type] else {
      return RecordScope(type: type, patients: .only([]))
    }
    guard !scope.isShared, case .only(let own) = scope.patients else {
      return RecordScope(type: type, patients: allowed)
    }
    guard case .only(let others) = allowed else {
      return RecordScope(type: type, patients: scope.patients)
    }
    let known = Set(others)
    return RecordScope(type: type, patients: .only(own.filter(known.contains)))
  }

  private func isAllowed(_ type: ResourceType, _ scope: RecordScope) -> Bool {
    chainAuthorizations[type] != nil && !scope.isEmpty
  }

  /// Returns the other resources that a criterion is about, and what they must match; nil if it is about none, or
  /// about none that may be looked at.
  private func others(
    _ criterion: SearchCriterion, _ scope: RecordScope
  ) -> (scope: RecordScope, criterion: SearchCriterion)? {
    let type: ResourceType
    let further: SearchCriterion
    switch criterion.test {
    case .chain(let target, let inner):
      type = target
      further = inner
    case .has(let source, _, let inner):
      type = source
      further = inner
    default: return nil
    }
    let target = other(type, beside: scope)
    guard isAllowed(type, target) else { return nil }
    return (scope: target, criterion: further)
  }

  // MARK: Chains

  /// Appends the definitions of the resources at the other ends of some criteria, for the statement that follows.
  ///
  /// Defined one after the other, they do not nest: SQLite's parser takes only so many open brackets, and both engines
  /// find the resources once, however often a condition names them.
  mutating func define(_ criteria: [SearchCriterion], _ scope: RecordScope) {
    for criterion in criteria { define(criterion, scope) }
    if !definitions.isEmpty { append(" ") }
  }

  private mutating func define(_ criterion: SearchCriterion, _ scope: RecordScope) {
    guard let others = self.others(criterion, scope) else { return }
    let definition = RecordDefinition(scope: others.scope, criterion: others.criterion)
    guard definitions[definition] == nil else { return }
    define(others.criterion, others.scope)
    append(definitions.isEmpty ? "WITH " : ", ")
    append("found")
    definitions[definition] = definitions.count + 1
    append(number: definitions.count)
    append(others.scope.isShared ? " AS (SELECT r.id FROM " : " AS (SELECT r.patient, r.id FROM ")
    beginResources(others.scope)
    append(" AND ")
    append(others.criterion, others.scope)
    append(")")
  }

  /// Appends a selection from the resources that were defined for a criterion, and the bracket that closes it.
  private mutating func append(_ piece: StaticString, found definition: RecordDefinition) {
    append(piece)
    append(number: definitions[definition] ?? 0)
    append(")")
  }

  mutating func appendChain(
    _ criterion: SearchCriterion, to type: ResourceType, _ scope: RecordScope
  ) {
    guard let others = self.others(criterion, scope) else { return appendNever() }
    let found = RecordDefinition(scope: others.scope, criterion: others.criterion)
    let isToOwner = isOwner(criterion.parameter, scope) && type == .patient
    if isToOwner {
      append("(r.patient IN (SELECT patient FROM found", found: found)
      append(" OR ")
    }
    beginEntries(criterion.parameter, scope)
    append(" AND detail = ", .text(type.rawValue))
    if scope.isShared || others.scope.isShared {
      append(" AND value IN (SELECT id FROM found", found: found)
    } else {
      append(" AND (patient, value) IN (SELECT patient, id FROM found", found: found)
    }
    append(")")
    if isToOwner { append(")") }
  }

  mutating func appendReverseChain(
    _ criterion: SearchCriterion, from reference: String, _ scope: RecordScope
  ) {
    guard let others = self.others(criterion, scope) else { return appendNever() }
    let source = others.scope
    let found = RecordDefinition(scope: source, criterion: others.criterion)
    let isFromOwner = isOwner(reference, source) && scope.type == .patient
    if isFromOwner {
      append("(r.patient IN (SELECT patient FROM found", found: found)
      append(" OR ")
    }
    let isOfOne = !scope.isShared && !source.isShared
    append(isOfOne ? "(r.patient, r.id)" : "r.id")
    append(isOfOne ? " IN (SELECT patient, value FROM " : " IN (SELECT value FROM ")
    appendIndex(source)
    append(" WHERE type = ", .text(source.type.rawValue))
    appendParameter(reference)
    restrict(to: source)
    append(" AND detail = ", .text(scope.type.rawValue))
    if source.isShared {
      append(" AND id IN (SELECT id FROM found", found: found)
    } else {
      append(" AND (patient, id) IN (SELECT patient, id FROM found", found: found)
    }
    append(")")
    if isFromOwner { append(")") }
  }
}

/// Resources of a type that match a criterion, as a part of a statement that conditions refer to.
struct RecordDefinition: Sendable, Hashable {
  let scope: RecordScope
  let criterion: SearchCriterion
}
