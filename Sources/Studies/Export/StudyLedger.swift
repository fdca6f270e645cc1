// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// Reads what was recorded of a participant, without anything that names the person or a medicine.
enum StudyLedger {
  /// A dose with the instants from which the rest follows.
  struct Dose: Sendable {
    let dose: StudyDose
    /// The time at which it was taken or answered; nil if it was not.
    let at: Timestamp?
  }

  /// An answer as it was given.
  struct Answer: Sendable {
    let medicine: Int
    let action: String
    let at: Timestamp
    let recorded: Timestamp
  }

  /// The numbers of a participant's medicines, in the order in which they appear.
  struct Medicines: Sendable {
    private var numbers: [String: Int] = [:]

    /// Returns the number of a medicine; an entry without one has 0.
    mutating func number(of plan: String?) -> Int {
      guard let plan else { return 0 }
      if let number = numbers[plan] { return number }
      numbers[plan] = numbers.count + 1
      return numbers.count
    }
  }

  /// Returns the scheduled doses of the study's time, the oldest first.
  ///
  /// Doses that were cancelled, or kept back by a rule, do not count as scheduled.
  static func doses(
    of patient: PatientID, _ clock: StudyClock, _ medicines: inout Medicines,
    in reader: any SQLReader
  ) throws(StorageError) -> [Dose] {
    let rows = try reader.query(
      dosesStatement, [.text(patient), SQLValue(clock.from), SQLValue(clock.until)])
    var doses: [Dose] = []
    doses.reserveCapacity(rows.count)
    for row in rows {
      let columns = row.read(StudyDoseRow.self)
      let due = try columns.timestamp(.due)
      let state: StudyDose.State
      switch try columns.text(.state) {
      case "taken": state = .taken
      case "skipped": state = .skipped
      case "refused": state = .refused
      default: state = .missed
      }
      // A dose that can still be answered counts neither as taken nor as missed: counting only those taken early would
      // make the last day look better than it is.
      if try columns.timestamp(.lateUntil) > clock.until { continue }
      let at = try columns.optionalTimestamp(.answeredAt)
      let rang = try columns.optionalTimestamp(.handedOver)
      let recorded = try columns.optionalTimestamp(.recorded)
      let place = clock.place(of: due)
      doses.append(
        Dose(
          dose: StudyDose(
            medicine: medicines.number(of: try columns.text(.plan)), day: place.day,
            minute: place.minute, state: state,
            lateness: state == .taken ? at.map { minutes(from: due, to: $0) } : nil,
            ringToAnswer: interval(from: rang, to: recorded)), at: at))
    }
    return doses
  }

  private static func minutes(from first: Timestamp, to last: Timestamp) -> Int {
    Int((last.milliseconds - first.milliseconds) / 60_000)
  }

  /// Returns the minutes from a ring to an answer after it.
  private static func interval(from rang: Timestamp?, to recorded: Timestamp?) -> Int? {
    guard let rang, let recorded, recorded >= rang else { return nil }
    return minutes(from: rang, to: recorded)
  }

  private static let dosesStatement = SQLStatement(
    """
    SELECT \(StudyDoseRow.columns) FROM doses d
    LEFT JOIN reminders r ON r.patient = d.patient AND r.subject = d.reminder
    LEFT JOIN answers a ON a.patient = d.patient AND a.answer = d.answer
    WHERE d.patient = $1 AND d.due >= $2 AND d.due < $3
      AND d.state NOT IN ('cancelled', 'withheld')
    ORDER BY d.due, d.plan
    """)

  /// Returns the answers of the study's time, the oldest first.
  static func answers(
    of patient: PatientID, _ clock: StudyClock, _ medicines: inout Medicines,
    in reader: any SQLReader
  ) throws(StorageError) -> [Answer] {
    var answers: [Answer] = []
    for row in try reader.query(
      answersStatement, [.text(patient), SQLValue(clock.from), SQLValue(clock.until)])
    {
      let columns = row.read(StudyAnswerRow.self)
      answers.append(
        Answer(
          medicine: medicines.number(of: try columns.optionalText(.plan)),
          action: try columns.text(.action), at: try columns.timestamp(.at),
          recorded: try columns.timestamp(.recorded)))
    }
    return answers
  }

  private static let answersStatement = SQLStatement(
    """
    SELECT \(StudyAnswerRow.columns) FROM answers
    WHERE patient = $1 AND recorded >= $2 AND recorded < $3 ORDER BY recorded, answer
    """)

  /// Returns the questions about the heart rate of the study's time, the oldest first.
  static func questions(
    of patient: PatientID, _ clock: StudyClock, in reader: any SQLReader
  ) throws(StorageError) -> [StudyQuestion] {
    var questions: [StudyQuestion] = []
    for row in try reader.query(
      questionsStatement, [.text(patient), SQLValue(clock.from), SQLValue(clock.until)])
    {
      let columns = row.read(StudyQuestionRow.self)
      questions.append(
        StudyQuestion(
          day: clock.place(of: try columns.timestamp(.created)).day,
          answer: try columns.optionalText(.answer)))
    }
    return questions
  }

  private static let questionsStatement = SQLStatement(
    """
    SELECT \(StudyQuestionRow.columns) FROM heart_rate_warnings
    WHERE patient = $1 AND kind = 'heart' AND created >= $2 AND created < $3
    ORDER BY created, warning
    """)
}

/// A dose with the first delivery of its reminder and its answer.
enum StudyDoseRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case plan, due, lateUntil, state, answeredAt, handedOver, recorded
  }

  static let columns = SQLColumns<Column>(
    of: "d", [.handedOver: "r.handed_over", .recorded: "a.recorded"])
}

/// An answer of a participant.
enum StudyAnswerRow: SQLRowType {
  enum Column: Int, SQLColumn { case plan, action, at, recorded }

  static let columns = SQLColumns<Column>()
}

/// A question about the heart rate of a participant.
enum StudyQuestionRow: SQLRowType {
  enum Column: Int, SQLColumn { case created, answer }

  static let columns = SQLColumns<Column>()
}
