// SPDX-License-Identifier: Apache-2.0

import Dosing
import FHIR
import Identifiers
import Localization
import Plans
import Presentation
import Storage

/// A person's day for a widget or a watch face; medicines are named only if chosen.
struct WidgetFacts: Sendable, Hashable {
  /// A dose that waits for an answer.
  struct Due: Sendable, Hashable {
    /// The local time, `08:00`.
    let time: String
    /// True once its on-time window has passed.
    let isLate: Bool
    /// The medicine with its amount; nil if the address names none.
    let text: String?
  }

  /// The next doses to come.
  struct Next: Sendable, Hashable {
    /// The instant with its offset.
    let at: String
    /// The local time, `20:00`.
    let time: String
    let count: Int
    /// The medicines with their amounts; nil if the address names none.
    let texts: [String]?
  }

  /// The number of doses that wait for an answer.
  let open: Int
  let progress: TodayProgress
  /// The doses that wait for an answer, at most as many as Today lists.
  let due: [Due]
  let next: Next?
  /// The summary in one line, in the language of the account.
  let text: String
  /// The person's short name, if the account sees several; nil otherwise.
  let person: String?

  /// Computes the facts from the doses of the day.
  init(_ day: TodayDoses, namesMedicine: Bool, person: String?, words: DoseFormatter) {
    let localizer = words.localizer
    func named(_ dose: Dose) -> String? {
      guard namesMedicine else { return nil }
      return [dose.medicineName, dose.amount.map(words.amount)].compactMap(\.self)
        .joined(separator: ", ")
    }
    let waiting = day.doses.filter { $0.state == .due }
    open = waiting.count + (day.unread[.due] ?? 0)
    due = waiting.prefix(TodayLimits().now).map { dose in
      Due(time: words.time(dose.due), isLate: dose.isLate, text: named(dose))
    }
    let ahead = day.doses.filter { $0.state == .scheduled || $0.state == .later }
    let moment = ahead.map { $0.laterUntil ?? $0.due }.filter { $0 > words.now }.min()
    next = moment.map { moment in
      let doses = ahead.filter { ($0.laterUntil ?? $0.due) == moment }
      return Next(
        at: words.machine(moment), time: words.time(moment), count: doses.count,
        texts: namesMedicine ? doses.compactMap(named) : nil)
    }
    progress = day.progress
    self.person = person
    text =
      if open > 0 {
        localizer.text("widgets.text.open", ["count": .number(open)])
      } else if let next {
        localizer.text("widgets.text.next", ["time": .text(next.time)])
      } else {
        localizer.text("widgets.text.nothing")
      }
  }

  /// Returns the facts as JSON; unknown and hidden values are left out.
  var json: JSONValue {
    var object: JSONValue = [
      "text": .string(text), "open": .number(JSONNumber(open)),
      "late": .number(JSONNumber(due.count(where: \.isLate))),
      "taken": .number(JSONNumber(progress.taken)),
      "planned": .number(JSONNumber(progress.planned)),
      "due": .array(
        due.map { dose in
          var object: JSONValue = ["time": .string(dose.time), "late": .bool(dose.isLate)]
          object["medicine"] = dose.text.map(JSONValue.string)
          return object
        }),
    ]
    object["person"] = person.map(JSONValue.string)
    if let next {
      var following: JSONValue = [
        "at": .string(next.at), "time": .string(next.time),
        "count": .number(JSONNumber(next.count)),
      ]
      following["medicines"] = next.texts.map { .array($0.map(JSONValue.string)) }
      object["next"] = following
    }
    return object
  }
}
