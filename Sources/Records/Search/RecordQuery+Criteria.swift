// SPDX-License-Identifier: Apache-2.0
import FHIR
import Storage

/// Conditions on the resource `r` itself.
extension RecordQuery {
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
    case .chain(let target, let further):
      appendChain(parameter, to: target, further, scope)
    case .has(let source, let reference, let further):
      appendReverseChain(from: source, reference, further, scope)
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
    let table = RecordIndexTable(of: parameter, in: scope.type)
    var tables = [(table, parameter)]
    switch table {
    case .tokens: tables.append((.strings, "\(parameter):text"))
    case .references: tables.append((.tokens, "\(parameter):identifier"))
    case .strings, .dates, .quantities: break
    }
    append("(")
    for (index, (table, name)) in tables.enumerated() {
      if index > 0 { append(isMissing ? " AND " : " OR ") }
      beginEntries(table, name, scope, isNegated: isMissing)
      append(")")
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
    beginEntries(.tokens, parameter, scope, isNegated: isNegated)
    append(" AND ")
    appendTokenEntries(values)
    append(")")
  }

  /// Appends the condition on the codes of entries.
  mutating func appendTokenEntries(_ values: [TokenSearchValue]) {
    let codes = values.compactMap(\.code)
    guard codes.count == values.count, !values.isEmpty else {
      return appendAny(of: values) { query, value in query.appendTokenEntry(value) }
    }
    // The key begins with the code: all values are found through it.
    let unique = Set(codes).sorted().map { SQLValue.text(RecordIndexText.token($0)) }
    append("code IN (", list: unique)
    guard values.contains(where: { $0.system != nil }) else { return }
    append(" AND ")
    appendAny(of: values) { query, value in query.appendTokenEntry(value) }
  }

  private mutating func appendTokenEntry(_ value: TokenSearchValue) {
    let code = value.code.map { SQLValue.text(RecordIndexText.token($0)) }
    let system = value.system.map { SQLValue.text(RecordIndexText.token($0)) }
    switch (code, system) {
    case (let code?, let system?):
      append("(code = ", code)
      append(" AND system = ", system)
      append(")")
    case (let code?, nil): append("code = ", code)
    case (nil, let system?): append("system = ", system)
    case (nil, nil): appendAlways()
    }
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
    beginEntries(.tokens, parameter, scope)
    append(" AND ")
    appendAny(of: values) { query, value in
      let address = RecordIndexText.token(value)
      switch match {
      case .exact: query.append("code = ", .text(address))
      case .below: query.appendPrefix("code", address)
      case .above:
        query.append("substr(CAST(", .text(address))
        query.append(" AS TEXT), 1, length(code)) = code")
      }
    }
    append(")")
  }

  private mutating func appendPrefix(_ column: StaticString, _ prefix: String) {
    append("(")
    append(column)
    append(" >= ", .text(prefix))
    if let end = RecordIndexText.end(ofPrefix: prefix) {
      append(" AND ")
      append(column)
      append(" < ", .text(end))
    }
    append(")")
  }

  private mutating func appendTexts(
    _ parameter: String, _ values: [String], _ match: StringSearchMatch, _ scope: RecordScope
  ) {
    beginEntries(.strings, parameter, scope)
    append(" AND ")
    appendAny(of: values) { query, value in
      let folded = SearchFolding.fold(value)
      guard !RecordIndexText.isTooLong(folded) else { return query.appendNever() }
      let text = RecordIndexText.string(folded)
      switch match {
      case .start: query.appendPrefix("folded", text)
      case .contains:
        query.append("folded LIKE ", .text(RecordIndexText.containing(text)))
        query.append(" ESCAPE '!'")
      case .exact:
        query.append("(folded = ", .text(text))
        query.append(" AND exact = ", .text(RecordIndexText.string(value)))
        query.append(")")
      }
    }
    append(")")
  }

  private mutating func appendDates(
    _ parameter: String, _ dates: [DateSearchValue], _ scope: RecordScope
  ) {
    beginEntries(.dates, parameter, scope)
    append(" AND ")
    appendAny(of: dates) { query, date in
      let range = date.rangeBounds
      query.append(range.isNegated ? "NOT (1 = 1" : "(1 = 1")
      if let value = range.lowerAtLeast { query.append(" AND lower >= ", .integer(value)) }
      if let value = range.lowerBefore { query.append(" AND lower < ", .integer(value)) }
      if let value = range.upperAbove { query.append(" AND upper > ", .integer(value)) }
      if let value = range.upperAtMost { query.append(" AND upper <= ", .integer(value)) }
      query.append(")")
    }
    append(")")
  }

  private mutating func appendQuantities(
    _ parameter: String, _ values: [QuantitySearchValue], _ scope: RecordScope
  ) {
    beginEntries(.quantities, parameter, scope)
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
    if let system = value.system {
      append(" AND system = ", Self.unit(system))
      if let code = value.code { append(" AND code = ", Self.unit(code)) }
    } else if let code = value.code {
      append(" AND (code = ", Self.unit(code))
      append(" OR unit = ", Self.unit(code))
      append(")")
    }
    append(")")
  }

  private static func unit(_ text: String) -> SQLValue {
    .text(RecordIndexText.token(text, longest: RecordIndexText.longestUnit))
  }
}

extension RecordIndexTable {
  /// The table in which a parameter of a type has its entries.
  init(of parameter: String, in type: ResourceType) {
    switch SearchParameterTables.definition(parameter, of: type)?.kind {
    case .string: self = .strings
    case .date: self = .dates
    case .number, .quantity: self = .quantities
    case .reference: self = .references
    case .token, .uri, .composite, .special, nil: self = .tokens
    }
  }
}
