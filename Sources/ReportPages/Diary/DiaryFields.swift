// SPDX-License-Identifier: Apache-2.0

import Diary
import HTML
import Localization
import Presentation
import Scheduling
import Web

/// The fields of an entry: the value, a note, and the time.
struct DiaryFields: PagePart {
  let tracker: Tracker
  let input: DiaryInput
  let mistake: DiaryError?
  let words: DiaryFormatter
  let today: CivilDate
  /// True to ask for the reason of an unlikely value before it is sent.
  var asksReason = false

  private var localizer: Localizer { words.localizer }
  /// True if the form has the field of the reason.
  var hasReasonField: Bool { mistake == .unlikely || asksReason || !input.reason.isEmpty }

  var markup: Markup {
    """
    \(value)\(if: hasReasonField, reason)\
    \(if: tracker.shape != .text, note)\
    <div class="field-row">\
    \(FormField(
      "day", label: localizer.text("diary.day"), kind: .date(through: today.text), value: input.day,
      error: error("day"), localizer: localizer))\
    \(FormField(
      "time", label: localizer.text("diary.time"), kind: .time, value: input.time,
      error: error("time"), localizer: localizer))</div>
    """
  }

  private var value: Markup {
    let label = words.question(tracker)
    switch tracker.shape {
    case .score: return scale("value", label, input.value, hint: scoreHint)
    case .yesNo:
      return FormField(
        "value", label: label,
        kind: .radios(
          [
            FieldChoice("yes", localizer.text("diary.yes")),
            FieldChoice("no", localizer.text("diary.no")),
          ], isCompact: true),
        value: input.value, error: error("value"), localizer: localizer
      ).markup
    case .measurement(let units): return measurement(label, units)
    case .number(let unit):
      return FormField(
        "value", label: label, kind: .decimal, value: input.value, error: error("value"),
        unit: unit.isEmpty ? nil : unit, maximumLength: 20, localizer: localizer
      ).markup
    case .pressure:
      return """
        <div class="field-row">\
        \(pressure("value", localizer.text("diary.systolic"), input.value))\
        \(pressure("lower", localizer.text("diary.diastolic"), input.lower))</div>
        """
    case .text: return lines(label)
    case .gradedText:
      return """
        \(lines(label))\
        \(scale("strength", localizer.text("diary.strength"), input.strength,
          hint: localizer.text("diary.strength-hint")))
        """
    }
  }

  private var scoreHint: String? {
    switch tracker.standard {
    case .pain: localizer.text("diary.pain-hint")
    case .mood: localizer.text("diary.mood-hint")
    default: nil
    }
  }

  private func scale(_ name: String, _ label: String, _ value: String, hint: String?) -> Markup {
    FormField(
      name, label: label,
      kind: .radios(
        TrackerShape.scores.map { FieldChoice("\($0)", "\($0)") }, isCompact: true),
      value: value, hint: hint, error: error(name), localizer: localizer
    ).markup
  }

  private func measurement(_ label: String, _ units: [DiaryUnit]) -> Markup {
    let only = units.count == 1 ? units.first.map(words.sign) : nil
    let number = FormField(
      "value", label: label, kind: .decimal, value: input.value, error: error("value"),
      unit: only.flatMap { $0.isEmpty ? nil : $0 }, maximumLength: 10, localizer: localizer)
    guard units.count > 1 else { return number.markup }
    return """
      \(number)\
      \(FormField(
        "unit", label: localizer.text("diary.in-unit"),
        kind: .radios(units.map { FieldChoice($0.rawValue, words.sign($0)) }, isCompact: true),
        value: input.unit, localizer: localizer))
      """
  }

  private func pressure(_ name: String, _ label: String, _ value: String) -> FormField {
    FormField(
      name, label: label, kind: .integer, value: value, error: error(name),
      unit: localizer.text("diary.mmhg"), maximumLength: 3, localizer: localizer)
  }

  private func lines(_ label: String) -> Markup {
    FormField(
      "value", label: label, kind: .lines(3), value: input.value, error: error("value"),
      maximumLength: DiaryCheck.longestText, localizer: localizer
    ).markup
  }

  /// The question about an unlikely value.
  var reason: Markup {
    FormField(
      "reason", label: localizer.text("diary.reason"), value: input.reason,
      hint: localizer.text("diary.reason-hint"), error: error("reason"), isRequired: false,
      maximumLength: DiaryCheck.longestText, localizer: localizer
    ).markup
  }

  private var note: Markup {
    FormField(
      "note", label: localizer.text("diary.note"), kind: .lines(2), value: input.note,
      error: error("note"), isRequired: false, maximumLength: DiaryCheck.longestText,
      localizer: localizer
    ).markup
  }

  private func error(_ field: String) -> String? {
    mistake.flatMap { input.field($0, tracker) == field ? words.text($0) : nil }
  }
}
