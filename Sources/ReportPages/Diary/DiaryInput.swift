// SPDX-License-Identifier: Apache-2.0

import Diary
import Foundation
import People
import Presentation
import Scheduling
import Storage
import Web

/// An entry of the diary as typed.
struct DiaryInput: Sendable, Hashable {
  var value = ""
  /// The lower blood pressure.
  var lower = ""
  var strength = ""
  var unit = ""
  var note = ""
  var reason = ""
  var day = ""
  var time = ""
  /// The event of the form; nil for a new one.
  var event: String?

  /// An empty entry of now.
  init(unit: DiaryUnit?, now: Timestamp, zone: Zone) {
    self.unit = unit?.rawValue ?? ""
    (day, time) = Self.moment(now, zone)
  }

  /// A stored entry, to correct it.
  init(_ entry: DiaryEntry, zone: Zone) {
    note = entry.draft.note
    reason = entry.draft.reason
    (day, time) = Self.moment(entry.draft.at, zone)
    switch entry.draft.value {
    case .score(let score): value = "\(score)"
    case .answer(let answer): value = answer ? "yes" : "no"
    case .measurement(let number, let unit):
      value = "\(number)"
      self.unit = unit.rawValue
    case .number(let number, _): value = "\(number)"
    case .pressure(let systolic, let diastolic):
      value = "\(systolic)"
      lower = "\(diastolic)"
    case .text(let text): value = text
    case .graded(let text, let strength):
      value = text
      self.strength = "\(strength)"
    }
  }

  init(_ form: PostedForm) {
    value = form.text("value") ?? ""
    lower = form.text("lower") ?? ""
    strength = form.text("strength") ?? ""
    unit = form.text("unit") ?? ""
    note = form.text("note") ?? ""
    reason = form.text("reason") ?? ""
    day = form.text("day") ?? ""
    time = form.text("time") ?? ""
    event = form.text("event")
  }

  private static func moment(_ at: Timestamp, _ zone: Zone) -> (day: String, time: String) {
    let local = zone.local(at: Instant(milliseconds: at.milliseconds))
    return (local.date.text, String(local.time.text.prefix(5)))
  }

  /// Returns the entry; without a day and a time it is of now.
  ///
  /// - Parameter known: the time of the entry that is corrected, which is kept unless the fields say another.
  func draft(
    for tracker: Tracker, zone: Zone, now: Timestamp, known: Timestamp? = nil
  ) throws(DiaryError) -> DiaryDraft {
    let value = try value(for: tracker)
    return DiaryDraft(
      value, at: try at(zone, now: now, known: known), note: note, reason: reason)
  }

  private func at(
    _ zone: Zone, now: Timestamp, known: Timestamp?
  ) throws(DiaryError) -> Timestamp {
    if let known, Self.moment(known, zone) == (day, time) { return known }
    do throws(AnswerMistake) {
      return try LocalMoment.read(
        date: day.isEmpty ? nil : day, time: time.isEmpty ? nil : time, zone: zone, now: now)
        ?? now
    } catch {
      switch error {
      case .dateMissing, .dateWrong, .dateSkipped: throw .day
      default: throw .time
      }
    }
  }

  private func value(for tracker: Tracker) throws(DiaryError) -> DiaryValue {
    guard !value.isEmpty else { throw .valueMissing }
    switch tracker.shape {
    case .score: return .score(try whole(value))
    case .yesNo:
      guard value == "yes" || value == "no" else { throw .value }
      return .answer(value == "yes")
    case .measurement(let units):
      let chosen = units.count == 1 ? units.first : DiaryUnit(rawValue: unit)
      guard let chosen, units.contains(chosen) else { throw .value }
      return .measurement(try number(value), chosen)
    case .number(let unit): return .number(try number(value), unit: unit)
    case .pressure:
      guard !lower.isEmpty else { throw .valueMissing }
      return .pressure(systolic: try whole(value), diastolic: try whole(lower))
    case .text: return .text(value)
    case .gradedText:
      guard !strength.isEmpty else { throw .valueMissing }
      return .graded(value, strength: try whole(strength))
    }
  }

  private func whole(_ text: String) throws(DiaryError) -> Int {
    guard let number = Int(text) else { throw .value }
    return number
  }

  private func number(_ text: String) throws(DiaryError) -> Decimal {
    let isNegative = text.hasPrefix("-") || text.hasPrefix("\u{2212}")
    guard let digits = DraftText.decimal(isNegative ? String(text.dropFirst()) : text),
      let number = Decimal(string: digits)
    else { throw .value }
    return isNegative ? -number : number
  }

  /// Returns the field that has a mistake.
  func field(_ mistake: DiaryError, _ tracker: Tracker) -> String {
    switch mistake {
    case .day, .future: "day"
    case .time: "time"
    case .pressureOrder: "lower"
    case .unlikely: "reason"
    case .textTooLong: value.count > DiaryCheck.longestText ? "value" : "note"
    case .valueMissing where !value.isEmpty: tracker.shape == .pressure ? "lower" : "strength"
    default: "value"
    }
  }
}
