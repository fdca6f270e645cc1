// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Identifiers
import Storage

/// The resources of one type that a condition of a search may look at.
struct RecordScope: Sendable, Hashable {
  let type: ResourceType
  /// The patients whose records may be looked at; without meaning for a shared type.
  let patients: SearchAuthorization.Patients

  /// True for a type whose resources belong to no patient.
  var isShared: Bool { RecordSubject.isShared(type) }

  /// The only patient whose records may be looked at; nil for several or all, and for a shared type.
  var onlyPatient: PatientID? {
    guard !isShared, case .only(let patients) = patients, patients.count == 1 else { return nil }
    return patients.first
  }

  /// True if nothing can be found.
  var isEmpty: Bool {
    if case .only(let patients) = patients { return patients.isEmpty && !isShared }
    return false
  }
}

/// The value and the detail of an entry of the index that a search looks for.
struct RecordEntryPair: Sendable {
  let value: String
  let detail: String
}

/// The SQL of a search in the making, with its arguments in the order of their numbers.
///
/// Every condition is about the row `r` of the innermost `FROM`, in `resources` or `shared_resources`.
struct RecordQuery {
  /// The limits of both engines, with room to spare: SQLite takes 32766 arguments and a text of 1000000 bytes.
  private static let mostArguments = 30_000
  private static let longestText = 900_000
  /// The most alternatives joined by OR, of which each makes a plan of its own: two of the longest lists of a request.
  private static let mostAlternatives = 1_000
  /// The most alternatives between two brackets: SQLite takes an expression that is 1000 levels deep, and each
  /// alternative of a list is two levels deeper than the one before.
  private static let mostInBrackets = 16

  /// The patients whose records of other types may be looked at.
  let chainAuthorizations: [ResourceType: SearchAuthorization.Patients]
  private(set) var sql: SQLText = ""
  private(set) var arguments: [SQLValue] = []
  private var alternatives = 0
  /// The length of what was taken.
  private var taken = 0
  /// The numbers of the resources that were defined for conditions on them.
  var definitions: [RecordDefinition: Int] = [:]
  /// The placeholders of lists of patients, which are bound once.
  private var lists: [[PatientID]: SQLText] = [:]

  init(chainAuthorizations: [ResourceType: SearchAuthorization.Patients]) {
    self.chainAuthorizations = chainAuthorizations
  }

  /// Throws for a search that no engine would take.
  func check() throws(RecordsError) {
    guard
      arguments.count > Self.mostArguments || alternatives > Self.mostAlternatives
        || taken + sql.text.utf8.count > Self.longestText
    else { return }
    throw .invalid([
      FHIRIssue(
        code: .tooCostly, expression: nil,
        diagnostics: "The search has too many values. Search for fewer at once.")
    ])
  }

  // MARK: Pieces

  mutating func append(_ piece: StaticString) { sql.append(piece) }

  mutating func append(contentsOf other: SQLText) { sql.append(contentsOf: other) }

  mutating func append(number: Int) { sql.append(number: number) }

  /// Returns the SQL up to here, for a statement whose next part is known only later; that part has no arguments.
  mutating func take() -> SQLText {
    let text = sql
    taken += text.text.utf8.count
    sql = ""
    return text
  }

  mutating func append(_ piece: StaticString, _ value: SQLValue) {
    sql.append(piece)
    arguments.append(value)
    sql.appendPlaceholder(arguments.count)
  }

  /// Appends a list of values, and the bracket that closes it; an empty list matches nothing.
  mutating func append(_ piece: StaticString, list values: [SQLValue]) {
    sql.append(piece)
    sql.appendPlaceholders(values.count, startingAt: arguments.count + 1)
    sql.append(")")
    arguments += values
  }

  /// Appends alternatives in brackets; without any, a condition that is never met.
  mutating func appendAny<Value>(of values: [Value], _ body: (inout RecordQuery, Value) -> Void) {
    guard !values.isEmpty else { return appendNever() }
    if values.count > 1 { alternatives += values.count }
    append("(")
    let isLong = values.count > Self.mostInBrackets
    if isLong { append("(") }
    for (index, value) in values.enumerated() {
      if isLong, index > 0, index.isMultiple(of: Self.mostInBrackets) {
        append(") OR (")
      } else if index > 0 {
        append(" OR ")
      }
      body(&self, value)
    }
    append(isLong ? "))" : ")")
  }

  /// Appends the condition that two columns of an entry are equal to one of some pairs.
  mutating func append(pairs: [RecordEntryPair]) {
    if pairs.count == 1, let pair = pairs.first {
      append("(value = ", .text(pair.value))
      append(" AND detail = ", .text(pair.detail))
      return append(")")
    }
    // SQLite looks up the entries through the key only if the pairs come from a subquery with named columns.
    append("(value, detail) IN (SELECT column1, column2 FROM (VALUES (")
    for (index, pair) in pairs.enumerated() {
      append(index > 0 ? "), (" : "", .text(pair.value))
      append(", ", .text(pair.detail))
    }
    append(")) AS sought)")
  }

  mutating func appendNever() { append("1 = 0") }

  mutating func appendAlways() { append("1 = 1") }

  /// Appends the restriction to the patients of a scope, as a further condition.
  mutating func restrict(to scope: RecordScope, _ piece: StaticString = " AND patient IN (") {
    guard !scope.isShared, case .only(let patients) = scope.patients else { return }
    sql.append(piece)
    if let known = lists[patients] {
      sql.append(contentsOf: known)
    } else {
      var list: SQLText = ""
      list.appendPlaceholders(patients.count, startingAt: arguments.count + 1)
      arguments += patients.map { .text($0) }
      lists[patients] = list
      sql.append(contentsOf: list)
    }
    sql.append(")")
  }

  // MARK: Tables

  /// Appends the beginning of a condition that `r` has an entry of a parameter, or has none; conditions on the entry
  /// may follow, and then a bracket.
  mutating func beginEntries(
    _ parameter: String, _ scope: RecordScope, isNegated: Bool = false
  ) {
    beginEntries(scope, isNegated: isNegated)
    appendParameter(parameter)
    restrict(to: scope)
  }

  /// Appends the same beginning for an entry of one of several parameters.
  mutating func beginEntries(ofAny parameters: [String], _ scope: RecordScope, isNegated: Bool) {
    beginEntries(scope, isNegated: isNegated)
    append(" AND parameter IN (", list: parameters.map { .text($0) })
    restrict(to: scope)
  }

  private mutating func beginEntries(_ scope: RecordScope, isNegated: Bool) {
    // All rows of a scope with one patient are that patient's: the ids are enough, and cheaper to compare.
    let isByID = scope.isShared || scope.onlyPatient != nil
    append(isByID ? "r.id" : "(r.patient, r.id)")
    if isNegated { append(" NOT") }
    append(isByID ? " IN (SELECT id FROM " : " IN (SELECT patient, id FROM ")
    appendIndex(scope)
    append(" WHERE type = ", .text(scope.type.rawValue))
  }

  /// Appends the name of the index of a scope.
  mutating func appendIndex(_ scope: RecordScope) {
    append(scope.isShared ? "shared_index" : "record_index")
  }

  /// Appends the condition on the parameter of an entry.
  mutating func appendParameter(_ parameter: String) {
    if parameter == "identifier" {
      // SQLite uses the index of identifiers only for this very text.
      append(" AND parameter = 'identifier'")
    } else {
      append(" AND parameter = ", .text(parameter))
    }
  }

  /// Appends the rows `r` of a scope; conditions on them follow.
  mutating func beginResources(_ scope: RecordScope) {
    append(scope.isShared ? "shared_resources" : "resources")
    append(" r WHERE r.type = ", .text(scope.type.rawValue))
    restrict(to: scope, " AND r.patient IN (")
  }
}
