// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Plans
import Storage

/// The part of the history to show.
package struct HistoryFilter: Sendable, Hashable {
  /// The plan to show; nil for all medicines, including those without a plan.
  package var plan: PlanID?
  /// The outcomes to show; empty for all of them, including doses that are still open.
  package var outcomes: Set<DoseOutcome>

  /// Creates a filter; without arguments it shows everything.
  package init(plan: PlanID? = nil, outcomes: Set<DoseOutcome> = []) {
    self.plan = plan
    self.outcomes = outcomes
  }

  /// True if intakes outside the plan are included.
  var includesExtraTaken: Bool { outcomes.isEmpty || outcomes.contains(.taken) }
  /// True if medicines skipped on purpose, outside the plan, are included.
  var includesExtraSkipped: Bool { outcomes.isEmpty || outcomes.contains(.skipped) }

  /// Appends the conditions on rows of `doses d` due in [from, until).
  ///
  /// Cancelled doses are not part of the history.
  package func write(
    into query: inout HistoryQuery, patient: PatientID, from: Timestamp, until: Timestamp,
    now: Timestamp
  ) {
    query.append(" WHERE d.patient = ", .text(patient))
    if let plan { query.append(" AND d.plan = ", .text(plan)) }
    query.append(" AND d.due >= ", SQLValue(from))
    query.append(" AND d.due < ", SQLValue(until))
    query.append(" AND d.state <> 'cancelled'")
    guard !outcomes.isEmpty else { return }
    query.append(" AND (1 = 0")
    for outcome in DoseOutcome.allCases where outcomes.contains(outcome) {
      query.append(" OR ")
      Self.write(outcome, into: &query, now: now)
    }
    query.append(")")
  }

  private static func write(
    _ outcome: DoseOutcome, into query: inout HistoryQuery, now: Timestamp
  ) {
    switch outcome {
    case .taken: query.append("(d.state = 'taken' AND d.answered_at <= d.on_time_until)")
    case .late: query.append("(d.state = 'taken' AND d.answered_at > d.on_time_until)")
    case .skipped: query.append("d.state = 'skipped'")
    case .refused: query.append("d.state = 'refused'")
    case .missed:
      query.append("(d.state = 'open' AND d.late_until <= ", SQLValue(now))
      query.append(" AND (d.later_until IS NULL OR d.later_until <= ", SQLValue(now))
      query.append("))")
    case .withheld:
      query.append("(d.state = 'withheld' AND d.late_until <= ", SQLValue(now))
      query.append(")")
    }
  }
}

/// A query assembled from fixed pieces, with arguments numbered in order.
package struct HistoryQuery: Sendable {
  private(set) var text: SQLText
  private(set) var arguments: [SQLValue]

  /// Creates a query from a first piece whose placeholders refer to the given arguments.
  package init(_ text: SQLText, _ arguments: [SQLValue] = []) {
    self.text = text
    self.arguments = arguments
  }

  /// Appends a piece without an argument.
  package mutating func append(_ piece: StaticString) {
    text.append(piece)
  }

  /// Appends a piece followed by the placeholder of one argument.
  package mutating func append(_ piece: StaticString, _ value: SQLValue) {
    text.append(piece)
    arguments.append(value)
    text.appendPlaceholder(arguments.count)
  }

  /// Runs the query and returns its rows.
  package func rows(in reader: any SQLReader) throws(StorageError) -> [SQLRow] {
    try reader.query(dynamic: text, arguments)
  }
}
