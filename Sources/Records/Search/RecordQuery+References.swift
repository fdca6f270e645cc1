// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
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

  // MARK: Chains

  mutating func appendChain(
    _ parameter: String, to type: ResourceType, _ criterion: SearchCriterion,
    _ scope: RecordScope
  ) {
    let target = other(type, beside: scope)
    guard isAllowed(type, target) else { return appendNever() }
    let isToOwner = isOwner(parameter, scope) && type == .patient
    if isToOwner {
      append("(r.patient IN (SELECT r.patient FROM ")
      append(criterion, toFoundOf: target)
      append(") OR ")
    }
    beginEntries(parameter, scope)
    append(" AND detail = ", .text(type.rawValue))
    if scope.isShared || target.isShared {
      append(" AND value IN (SELECT r.id FROM ")
    } else {
      append(" AND (patient, value) IN (SELECT r.patient, r.id FROM ")
    }
    append(criterion, toFoundOf: target)
    append("))")
    if isToOwner { append(")") }
  }

  mutating func appendReverseChain(
    from type: ResourceType, _ parameter: String, _ criterion: SearchCriterion,
    _ scope: RecordScope
  ) {
    let source = other(type, beside: scope)
    guard isAllowed(type, source) else { return appendNever() }
    let isFromOwner = isOwner(parameter, source) && scope.type == .patient
    if isFromOwner {
      append("(r.patient IN (SELECT r.patient FROM ")
      append(criterion, toFoundOf: source)
      append(") OR ")
    }
    let isOfOne = !scope.isShared && !source.isShared
    append(isOfOne ? "(r.patient, r.id)" : "r.id")
    append(isOfOne ? " IN (SELECT patient, value FROM " : " IN (SELECT value FROM ")
    appendIndex(source)
    append(" WHERE type = ", .text(type.rawValue))
    appendParameter(parameter)
    restrict(to: source)
    append(" AND detail = ", .text(scope.type.rawValue))
    if source.isShared {
      append(" AND id IN (SELECT r.id FROM ")
    } else {
      append(" AND (patient, id) IN (SELECT r.patient, r.id FROM ")
    }
    append(criterion, toFoundOf: source)
    append("))")
    if isFromOwner { append(")") }
  }

  /// Appends the rows `r` of a scope that match a criterion.
  private mutating func append(_ criterion: SearchCriterion, toFoundOf scope: RecordScope) {
    beginResources(scope)
    append(" AND ")
    append(criterion, scope)
  }
}
