// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import Presentation
import Reminders
import Web

/// The rows of a ladder as somebody typed them.
struct LadderInput: Sendable {
  struct Row: Sendable, Hashable {
    var minutes: String
    var channel: String
    /// Empty for whoever acts, else the account of somebody of the family.
    var recipient: String
  }

  enum Mistake: Error, Sendable, Hashable {
    /// A row whose minutes are no number, or whose channel or person is not to be had.
    case row(Int)
    case ladder(LadderProblem)

    var field: String {
      switch self {
      case .row(let index): LadderInput.name("minutes", index)
      case .ladder: LadderInput.name("minutes", 0)
      }
    }

    func message(_ localizer: Localizer) -> String {
      switch self {
      case .row: localizer.text("ladder.error.minutes")
      case .ladder(.nothingAtOnce): localizer.text("ladder.error.at-once")
      case .ladder(.minutesOutOfRange(let maximum)):
        localizer.text("ladder.error.range", ["maximum": .number(maximum)])
      case .ladder(.tooOften(let channel, let maximum)):
        localizer.text(
          "ladder.error.often",
          [
            "maximum": .number(maximum),
            "channel": .text(channel.name(localizer)),
          ])
      case .ladder(.tooManyRungs(let maximum)):
        localizer.text("ladder.error.many", ["maximum": .number(maximum)])
      }
    }
  }

  /// Empty rows that the form has besides those in use.
  private static let spare = 2

  var rows: [Row]

  init(_ ladder: Ladder) {
    rows = ladder.rungs.map { rung in
      Row(
        minutes: String(rung.minutes), channel: rung.channel.rawValue,
        recipient: rung.recipient.account?.text ?? "")
    }
    let room = min(Self.spare, Ladder.mostRungs - rows.count)
    rows += Array(
      repeating: Row(minutes: "", channel: ReminderChannel.push.rawValue, recipient: ""),
      count: max(0, room))
  }

  init(_ form: FormBody) {
    rows = (0..<Ladder.mostRungs).compactMap { index in
      guard let channel = form.text(Self.name("channel", index)) else { return nil }
      return Row(
        minutes: form.text(Self.name("minutes", index)) ?? "", channel: channel,
        recipient: form.text(Self.name("to", index)) ?? "")
    }
  }

  static func name(_ field: String, _ index: Int) -> String { "\(field)-\(index)" }

  /// The ladder that the rows say; rows without minutes are none.
  func ladder(family: Set<AccountID>, guardians: Set<AccountID> = []) throws(Mistake) -> Ladder {
    var rungs: [LadderRung] = []
    for (index, row) in rows.enumerated() where !row.minutes.isEmpty {
      guard let minutes = Int(row.minutes), let channel = ReminderChannel(rawValue: row.channel),
        row.recipient.isEmpty || family.contains(AccountID(row.recipient))
          || guardians.contains(AccountID(row.recipient))
      else { throw .row(index) }
      let recipient: LadderRung.Recipient =
        row.recipient.isEmpty
        ? .acting
        : family.contains(AccountID(row.recipient))
          ? .family(AccountID(row.recipient)) : .guardian(AccountID(row.recipient))
      rungs.append(LadderRung(minutes, channel, recipient))
    }
    do throws(LadderProblem) {
      return try Ladder(rungs)
    } catch {
      throw .ladder(error)
    }
  }
}
