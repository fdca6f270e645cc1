// SPDX-License-Identifier: Apache-2.0

import Plans
import Presentation
import Storage

/// The content of the simple page, computed only from what Today shows.
struct SimpleModel: Sendable, Hashable {
  /// The single question.
  enum Question: Sendable, Hashable {
    /// Doses that one press may take.
    case take([TodayModel.Row])
    /// A dose that someone must review first: its prescription changed, or it waits for a decision.
    case look(TodayModel.Row)
  }

  /// The outcome of a dose or of an extra intake.
  struct Told: Sendable, Hashable {
    enum Outcome: Sendable, Hashable {
      case taken(Timestamp)
      case leftOut(Timestamp)
      /// Not recorded in time.
      case unknown(due: Timestamp)
    }

    let name: String
    let outcome: Outcome
    /// The dose, if its answer can be undone with one press.
    let dose: Dose?

    var moment: Timestamp {
      switch outcome {
      case .taken(let at), .leftOut(let at): at
      case .unknown(let due): due
      }
    }
  }

  let question: Question?
  /// True if Today shows something to fix: a prescription without reminders, or one to review.
  let hasMore: Bool
  /// The outcomes of today's doses so far, latest first.
  let told: [Told]
  let next: TodayModel.Next?

  /// - Parameters:
  /// - asksOne: True to ask about one dose of several: its own page asks questions that the joint
  ///   one can't.
  /// - hasProposals: True if a prescription from elsewhere waits for a decision.
  init(_ today: TodayModel, asksOne: Bool = false, hasProposals: Bool = false) {
    if let all = today.now.lazy.map(\.takeable).first(where: { !$0.isEmpty }) {
      question = .take(asksOne ? Array(all.prefix(1)) : all)
    } else {
      let rows = today.now.flatMap(\.rows)
      let plain = rows.first { $0.dose.state == .due && !$0.needsReview }
      question = plain.map { Question.take([$0]) } ?? rows.first.map { Question.look($0) }
    }
    var told = today.done.compactMap { row -> Told? in
      guard let answer = row.dose.answer else { return nil }
      let outcome: Told.Outcome =
        answer.action == .taken ? .taken(answer.at) : .leftOut(answer.at)
      return Told(name: row.dose.medicineName, outcome: outcome, dose: row.dose)
    }
    told += today.extras.map {
      Told(name: $0.medicineName, outcome: .taken($0.taken), dose: nil)
    }
    told += today.missed.map {
      Told(name: $0.dose.medicineName, outcome: .unknown(due: $0.dose.due), dose: nil)
    }
    self.told = told.sorted { ($0.moment, $0.name) > ($1.moment, $1.name) }
    next = today.next
    hasMore =
      hasProposals
      || today.unplanned.contains { $0.reason != .asNeeded && $0.reason != .status("on-hold") }
  }

  static func == (one: SimpleModel, other: SimpleModel) -> Bool {
    one.question == other.question && one.told == other.told && one.hasMore == other.hasMore
      && one.next?.doses == other.next?.doses
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(question)
    hasher.combine(told)
  }
}
