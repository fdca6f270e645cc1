// SPDX-License-Identifier: Apache-2.0

extension SearchIndex {
  /// Returns true if the resource meets a condition; nil for a chain or `_has`, which needs other resources.
  ///
  /// This is the definition of a match, with which the queries of the store must agree.
  public func matches(_ criterion: SearchCriterion, record: SearchedRecord) -> Bool? {
    let name = criterion.parameter
    switch criterion.test {
    case .chain, .has: return nil
    case .anyOf(let alternatives):
      // A condition that needs other resources is not met here.
      return alternatives.contains { criteria in
        criteria.allSatisfy { matches($0, record: record) ?? false }
      }
    case .ids(let ids): return ids.contains(record.id)
    case .lastUpdated(let dates):
      return dates.contains { $0.matches(milliseconds: record.lastUpdated) }
    case .missing(let isMissing): return isMissing != hasValue(name, record)
    case .token(let tokens): return tokens.contains { matches($0, name, record) }
    case .notToken(let tokens): return !tokens.contains { matches($0, name, record) }
    case .text(let texts):
      return texts.contains { matches($0, .start, name + ":text") }
    case .string(let texts, let match): return texts.contains { matches($0, match, name) }
    case .date(let dates):
      return contains(name) { value in
        guard case .date(let lower, let upper) = value else { return false }
        return dates.contains { $0.matches(lower: lower, upper: upper) }
      }
    case .number(let numbers):
      return contains(name) { value in
        guard case .number(let lower, let upper) = value else { return false }
        return numbers.contains { $0.matches(lower: lower, upper: upper) }
      }
    case .quantity(let quantities):
      return contains(name) { value in quantities.contains { $0.matches(value) } }
    case .reference(let references):
      return references.contains { matches($0, name, record) }
    case .uri(let addresses, let match):
      return contains(name) { value in
        guard case .uri(let uri) = value else { return false }
        return addresses.contains { Self.matches(uri, $0, match) }
      }
    }
  }

  /// Returns the value by which a resource sorts; nil if it has none.
  ///
  /// The smallest value counts in ascending order, the largest in descending order: the code of a token, the
  /// folded text, the start of a time, the middle of a number's range, the address of a reference. The values
  /// in columns, such as `_id` and `status`, need a record: see ``sortKey(_:record:)``.
  public func sortKey(_ parameter: String, descending: Bool) -> SearchSortKey? {
    let keys = entries.lazy.filter { $0.parameter == parameter }.map { $0.value.sortKey }
    return descending ? keys.max() : keys.min()
  }

  /// Returns the value by which a resource sorts, including those that the store keeps in columns;
  /// `.none` if it has none.
  public func sortKey(_ sort: SearchSort, record: SearchedRecord) -> SearchSortKey {
    switch sort.parameter {
    case "_id": return .text(record.id)
    case "_lastUpdated": return .integer(record.lastUpdated)
    case "status" where hasStatusColumn:
      return record.status.map { SearchSortKey.text($0) } ?? SearchSortKey.none
    default: break
    }
    if isOwner(sort.parameter), let patient = record.patient { return .text("Patient/" + patient) }
    return sortKey(sort.parameter, descending: sort.isDescending) ?? SearchSortKey.none
  }

  private var hasStatusColumn: Bool { type.map(SearchParameterTables.hasStatusColumn) ?? true }

  private func isOwner(_ parameter: String) -> Bool {
    type.map { SearchParameterTables.ownerParameters(of: $0).contains(parameter) }
      ?? (parameter == "patient" || parameter == "subject")
  }

  private func contains(_ parameter: String, _ test: (SearchIndexValue) -> Bool) -> Bool {
    entries.contains { $0.parameter == parameter && test($0.value) }
  }

  private func hasValue(_ parameter: String, _ record: SearchedRecord) -> Bool {
    if parameter == "_id" || parameter == "_lastUpdated" { return true }
    if parameter == "status", hasStatusColumn { return record.status != nil }
    if isOwner(parameter), record.patient != nil { return true }
    return entries.contains {
      $0.parameter == parameter || $0.parameter == parameter + ":identifier"
        || $0.parameter == parameter + ":text"
    }
  }

  private func matches(
    _ token: TokenSearchValue, _ parameter: String, _ record: SearchedRecord
  ) -> Bool {
    if parameter == "status", hasStatusColumn {
      guard let status = record.status, token.system == nil else { return false }
      return token.code == nil || token.code == status
    }
    return contains(parameter) { value in
      guard case .token(let system, let code) = value else { return false }
      return (token.system ?? system) == system && (token.code ?? code) == code
    }
  }

  private func matches(_ text: String, _ match: StringSearchMatch, _ parameter: String) -> Bool {
    let sought = match == .exact ? text : SearchFolding.fold(text)
    return contains(parameter) { value in
      guard case .string(let written) = value else { return false }
      switch match {
      case .exact: return written.utf8.elementsEqual(sought.utf8)
      case .start: return SearchFolding.fold(written).utf8.starts(with: sought.utf8)
      case .contains:
        return Self.contains(Array(SearchFolding.fold(written).utf8), Array(sought.utf8))
      }
    }
  }

  private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
    guard part.count <= text.count else { return false }
    return (0...(text.count - part.count)).contains { text[$0...].starts(with: part) }
  }

  private func matches(
    _ reference: ReferenceSearchValue, _ parameter: String, _ record: SearchedRecord
  ) -> Bool {
    switch reference {
    case .local(let type, let id):
      if isOwner(parameter), record.patient == id, type == nil || type == "Patient" { return true }
      return contains(parameter) { value in
        guard case .reference(let named, id) = value else { return false }
        return type == nil ? !named.isEmpty : type == named
      }
    case .absolute(let address):
      return contains(parameter) { $0 == .reference(type: "", id: address) }
    case .identifier(let token): return matches(token, parameter + ":identifier", record)
    }
  }

  private static func matches(_ uri: String, _ address: String, _ match: URISearchMatch) -> Bool {
    switch match {
    case .exact: uri == address
    case .below: uri.utf8.starts(with: address.utf8)
    case .above: address.utf8.starts(with: uri.utf8)
    }
  }
}

extension QuantitySearchValue {
  /// Returns true if an entry is a quantity in the range and the unit of the search.
  func matches(_ entry: SearchIndexValue) -> Bool {
    guard case .quantity(let lower, let upper, let entrySystem, let entryCode, let unit) = entry,
      number.matches(lower: lower, upper: upper)
    else { return false }
    if let system, system != entrySystem { return false }
    guard let code else { return true }
    return code == entryCode || (system == nil && code == unit)
  }
}

extension SearchIndexValue {
  /// The value by which a search sorts.
  public var sortKey: SearchSortKey {
    switch self {
    case .token(_, let code): .text(code)
    case .string(let text): .text(SearchFolding.fold(text))
    case .date(let lower, _): .integer(lower)
    case .number(let lower, let upper): .real((lower + upper) / 2)
    case .quantity(let lower, let upper, _, _, _): .real((lower + upper) / 2)
    case .reference(let type, let id): .text(type.isEmpty ? id : type + "/" + id)
    case .uri(let address): .text(address)
    }
  }
}
