// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Storage

/// Conditions on the resource `r` itself.
extension RecordQuery {
  /// Appends further conditions: that `r` matches all criteria, and has one of some values of `status`.
  ///
  /// - Throws: the error of ``check()`` as soon as there are too many values.
  mutating func appendConditions(
    _ criteria: [SearchCriterion], statuses: [String]?, _ scope: RecordScope
  ) throws(RecordsError) {
    if let statuses { append(" AND r.status IN (", list: statuses.map { .text($0) }) }
    for criterion in criteria {
      if case .ids(let ids) = criterion.test, case .all = scope.patients, !scope.isShared {
        // Finds the rows through the key of ids instead of through all patients.
        append(
          " AND r.patient IN (SELECT patient FROM resource_keys WHERE type = ",
          .text(scope.type.rawValue))
        append(" AND id IN (", list: ids.map { .text($0) })
        append(")")
      }
      append(" AND ")
      append(criterion, scope)
      try check()
    }
  }

  /// Appends the condition that the resource `r` matches a criterion.
  mutating func append(_ criterion: SearchCriterion, _ scope: RecordScope) {
    let parameter = criterion.parameter
    switch criterion.test {
    case .missing(let isMissing): appendMissing(parameter, isMissing, scope)
    case .ids(let ids): append("r.id IN (", list: ids.map { .text($0) })
    case .lastUpdated(let dates):
      appendAny(of: dates) { query, date in query.appendInstant(date) }
    case .token(let values):
      appendTokens(parameter, values, scope, isNegated: false)
    case .notToken(let values):
      appendTokens(parameter, values, scope, isNegated: true)
    case .text(let values): appendTexts("\(parameter):text", values, .start, scope)
    case .string(let values, let match): appendTexts(parameter, values, match, scope)
    case .date(let dates): appendDates(parameter, dates, scope)
    case .number(let values):
      appendQuantities(
        parameter, values.map { QuantitySearchValue(number: $0, system: nil, code: nil) }, scope)
    case .quantity(let values): appendQuantities(parameter, values, scope)
    case .reference(let values): appendReferences(parameter, values, scope)
    case .uri(let values, let match): appendAddresses(parameter, values, match, scope)
    case .chain(let target, _): appendChain(criterion, to: target, scope)
    case .has(_, let reference, _): appendReverseChain(criterion, from: reference, scope)
    case .anyOf(let alternatives):
      appendAny(of: alternatives) { query, criteria in query.appendAll(criteria, scope) }
    }
  }

  /// Appends the condition that the resource `r` matches all criteria.
  private mutating func appendAll(_ criteria: [SearchCriterion], _ scope: RecordScope) {
    append("(1 = 1")
    for criterion in criteria {
      append(" AND ")
      append(criterion, scope)
    }
    append(")")
  }

  private mutating func appendInstant(_ date: DateSearchValue) {
    let bounds = date.instantBounds
    guard !bounds.isExcluded else {
      append("(r.last_updated < ", .integer(bounds.atLeast ?? .min))
      append(" OR r.last_updated >= ", .integer(bounds.before ?? .max))
      return append(")")
    }
    append("(r.last_updated >= ", .integer(bounds.atLeast ?? .min))
    if let end = bounds.before { append(" AND r.last_updated < ", .integer(end)) }
    append(")")
  }

  // MARK: Missing values

  private mutating func appendMissing(
    _ parameter: String, _ isMissing: Bool, _ scope: RecordScope
  ) {
    if parameter == "status", SearchParameterTables.hasStatusColumn(scope.type) {
      return append(isMissing ? "r.status IS NULL" : "r.status IS NOT NULL")
    }
    let owners = SearchParameterTables.ownerParameters(of: scope.type)
    if owners.contains(parameter) || parameter == "_id" || parameter == "_lastUpdated" {
      // Every stored resource of these types has an owner.
      return isMissing ? appendNever() : appendAlways()
    }
    switch RecordIndexKind(of: parameter, in: scope.type) {
    case .tokens:
      beginEntries(ofAny: [parameter, "\(parameter):text"], scope, isNegated: isMissing)
    case .references:
      beginEntries(ofAny: [parameter, "\(parameter):identifier"], scope, isNegated: isMissing)
    case .strings, .dates, .quantities:
      beginEntries(parameter, scope, isNegated: isMissing)
    }
    append(")")
  }

  // MARK: Tokens

  private mutating func appendTokens(
    _ parameter: String, _ values: [TokenSearchValue], _ scope: RecordScope, isNegated: Bool
  ) {
    if parameter == "status", SearchParameterTables.hasStatusColumn(scope.type) {
      return appendStatus(values, isNegated: isNegated)
    }
    beginEntries(parameter, scope, isNegated: isNegated)
    append(" AND ")
    appendTokenEntries(values)
    append(")")
  }

  /// Appends the condition on the codes and systems of entries.
  mutating func appendTokenEntries(_ values: [TokenSearchValue]) {
    var pairs: [RecordEntryPair] = []
    var codes: [String] = []
    var systems: [String] = []
    var isAny = false
    for value in values {
      let code = value.code.map { RecordIndexText.token($0) }
      let system = value.system.map { RecordIndexText.token($0) }
      switch (code, system) {
      case (let code?, let system?): pairs.append(RecordEntryPair(value: code, detail: system))
      case (let code?, nil): codes.append(code)
      case (nil, let system?): systems.append(system)
      case (nil, nil): isAny = true
      }
    }
    if isAny { return appendAlways() }
    guard !systems.isEmpty else { return appendEntries(pairs, "value IN (", codes) }
    append("(detail IN (", list: systems.map { .text($0) })
    append(" OR ")
    appendEntries(pairs, "value IN (", codes)
    append(")")
  }

  /// Appends the condition that an entry is one of some pairs, or has one of some values.
  ///
  /// - Parameter start: the condition on the value, up to its list.
  mutating func appendEntries(
    _ pairs: [RecordEntryPair], _ start: StaticString, _ values: [String]
  ) {
    guard !values.isEmpty else {
      return pairs.isEmpty ? appendNever() : append(pairs: pairs)
    }
    let list = values.map { SQLValue.text($0) }
    append("(")
    if !pairs.isEmpty {
      // The key begins with the value: all entries are found through it.
      append("value IN (", list: list + pairs.map { SQLValue.text($0.value) })
      append(" AND (")
      append(pairs: pairs)
      append(" OR ")
    }
    append(start, list: list)
    if !pairs.isEmpty { append(")") }
    append(")")
  }

  /// Appends the condition on the element `status`, of which a search names only the code.
  private mutating func appendStatus(_ values: [TokenSearchValue], isNegated: Bool) {
    let fitting = values.filter { $0.system == nil }
    // No value would make NULL of the negation.
    guard !fitting.isEmpty else { return isNegated ? appendAlways() : appendNever() }
    if isNegated { append("(r.status IS NULL OR NOT ") }
    if fitting.contains(where: { $0.code == nil }) {
      append("(r.status IS NOT NULL)")
    } else {
      append("(r.status IN (", list: fitting.compactMap(\.code).map { .text($0) })
      append(")")
    }
    if isNegated { append(")") }
  }

  // MARK: Other values

  private mutating func appendAddresses(
    _ parameter: String, _ values: [String], _ match: URISearchMatch, _ scope: RecordScope
  ) {
    beginEntries(parameter, scope)
    append(" AND ")
    let addresses = values.map { RecordIndexText.token($0) }
    switch match {
    case .exact: append("value IN (", list: addresses.map { .text($0) })
    case .below: appendAny(of: addresses) { query, address in query.appendPrefix(address) }
    case .above:
      appendAny(of: addresses) { query, address in
        query.append("substr(CAST(", .text(address))
        query.append(" AS TEXT), 1, length(value)) = value")
      }
    }
    append(")")
  }

  private mutating func appendPrefix(_ prefix: String) {
    append("(value >= ", .text(prefix))
    if let end = RecordIndexText.end(ofPrefix: prefix) { append(" AND value < ", .text(end)) }
    append(")")
  }

  private mutating func appendTexts(
    _ parameter: String, _ values: [String], _ match: StringSearchMatch, _ scope: RecordScope
  ) {
    beginEntries(parameter, scope)
    append(" AND ")
    appendAny(of: values) { query, value in
      let folded = SearchFolding.fold(value)
      guard !RecordIndexText.isTooLong(folded) else { return query.appendNever() }
      let text = RecordIndexText.string(folded)
      switch match {
      case .start: query.appendPrefix(text)
      case .contains:
        query.append("value LIKE ", .text(RecordIndexText.containing(text)))
        query.append(" ESCAPE '!'")
      case .exact:
        query.append("(value = ", .text(text))
        query.append(" AND detail = ", .text(RecordIndexText.exact(value)))
        query.append(")")
      }
    }
    append(")")
  }

  private mutating func appendDates(
    _ parameter: String, _ dates: [DateSearchValue], _ scope: RecordScope
  ) {
    beginEntries(parameter, scope)
    append(" AND ")
    // The times follow in the key.
    append("value = '' AND detail = '' AND ")
    appendTimes(dates)
    append(")")
  }

  /// Appends the condition on the times of an entry, without a table's name.
  mutating func appendTimes(_ dates: [DateSearchValue]) {
    appendAny(of: dates) { query, date in
      let range = date.rangeBounds
      query.append(range.isNegated ? "NOT (1 = 1" : "(1 = 1")
      let bounds: [(StaticString, Int64?)] = [
        (" AND lower >= ", range.lowerAtLeast), (" AND lower < ", range.lowerBefore),
        (" AND upper > ", range.upperAbove), (" AND upper <= ", range.upperAtMost),
      ]
      for (piece, bound) in bounds {
        if let bound { query.append(piece, .real(RecordIndexNumber.time(bound))) }
      }
      query.append(")")
    }
  }

  private mutating func appendQuantities(
    _ parameter: String, _ values: [QuantitySearchValue], _ scope: RecordScope
  ) {
    beginEntries(parameter, scope)
    append(" AND ")
    appendAny(of: values) { query, value in query.appendQuantity(value) }
    append(")")
  }

  private mutating func appendQuantity(_ value: QuantitySearchValue) {
    let range = value.number.rangeBounds
    append(range.isNegated ? "(NOT (1 = 1" : "((1 = 1")
    let bounds: [(StaticString, Double?)] = [
      (" AND (lower + upper) / 2 >= ", range.middleAtLeast),
      (" AND (lower + upper) / 2 > ", range.middleAbove),
      (" AND (lower + upper) / 2 < ", range.middleBefore),
      (" AND (lower + upper) / 2 <= ", range.middleAtMost),
    ]
    for (piece, bound) in bounds {
      if let bound { append(piece, .real(RecordIndexNumber.finite(bound))) }
    }
    append(")")
    if let system = value.system { append(" AND detail = ", .text(RecordIndexText.unit(system))) }
    if let code = value.code { append(" AND value = ", .text(RecordIndexText.unit(code))) }
    append(")")
  }
}
