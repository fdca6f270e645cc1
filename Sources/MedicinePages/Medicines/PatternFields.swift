// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Scheduling
import Web

/// The less usual patterns, collapsed until one of them is chosen.
struct PatternFields: PagePart {
  let input: MedicineInput
  let expanded: String?
  let errors: [String: String]
  let localizer: Localizer

  private var pattern: PatternInput { input.pattern }

  private var isOpen: Bool {
    input.schedule.map { MedicineInput.Kind.special.contains($0) } ?? false
  }

  var markup: Markup {
    Disclosure(
      text("more"), isOpen: isOpen,
      """
      <fieldset class="field"><legend>\(text("kinds"))</legend><div class="choices">\
      \(each: MedicineInput.Kind.special, choice)</div></fieldset>\
      \(part("cycle", cycle))\(part("steps", steps))\(part("varying", entries))\
      \(part("spread", spread))\(part("after-intake", interval))
      """
    ).markup
  }

  private func choice(_ kind: MedicineInput.Kind) -> Markup {
    let id = "field-schedule-\(kind.rawValue)"
    return """
      <label class="choice"><input type="radio" id="\(id)" name="schedule" \
      value="\(kind.rawValue)"\(Markup.attribute("checked", input.schedule == kind)) \
      aria-describedby="\(id)-hint-text"><span class="choice-text">\
      \(localizer.text("patterns.form.kind", ["kind": .text(kind.rawValue)]))\
      <span class="hint" id="\(id)-hint-text">\
      \(localizer.text("patterns.form.kind-hint", ["kind": .text(kind.rawValue)]))</span></span>\
      </label>
      """
  }

  private func part(_ kind: String, _ content: Markup) -> Markup {
    "<div class=\"stack\" data-schedule=\"\(kind)\">\(content)</div>"
  }

  // MARK: Days on and off

  private var cycle: Markup {
    let breaks = [
      FieldChoice("none", text("break-none")), FieldChoice("placebo", text("break-placebo")),
    ]
    return FieldGroup(
      kind(.cycle), hint: text("cycle-help"),
      """
      <div class="field-row">\
      \(number("cycle-on", pattern.daysOn, unit: localizer.text("medicines.form.days-unit")))\
      \(number("cycle-off", pattern.daysOff, unit: localizer.text("medicines.form.days-unit")))\
      </div>\
      \(FormField(
        "cycle-break", label: text("break"), kind: .radios(breaks),
        value: pattern.hasPlacebo ? "placebo" : "none", localizer: localizer))\
      \(TimeRows(
        name: "cycle-time", legend: localizer.text("medicines.form.times"),
        rows: pattern.cycleTimes,
        openRows: expanded == "cycle-time" ? MedicineInput.offeredTimes : 1,
        error: errors["cycle-time"], localizer: localizer))
      """
    ).markup
  }

  // MARK: Rows

  private var steps: Markup {
    let rows = open("step", filled: pattern.steps.lastIndex { !$0.isEmpty })
    return FieldGroup(
      kind(.steps), hint: text("steps-help"),
      "\(rowsError("step-amount"))\(each: 0..<rows, step)\(more("step", rows))"
    ).markup
  }

  private func step(_ index: Int) -> Markup {
    let row = index < pattern.steps.count ? pattern.steps[index] : PatternInput.StepRow()
    let title = localizer.text("patterns.form.step", ["number": .number(index + 1)])
    return """
      <fieldset class="field"><legend>\(title)</legend><div class="field-row">\
      \(cell("step-days", index, text("step-days"), row.days, mode: "numeric"))\
      \(cell("step-amount", index, text("amount"), row.amount))\
      </div><div class="field-row time-rows">\
      \(each: 0..<PatternInput.timesOfStep, { place in
        time("step-time", index * PatternInput.timesOfStep + place, label: place + 1,
          place < row.times.count ? row.times[place] : nil)
      })</div></fieldset>
      """
  }

  private var entries: Markup {
    let rows = open("entry", filled: pattern.entries.lastIndex { !$0.isEmpty })
    return FieldGroup(
      kind(.varying), hint: text("entries-help"),
      "\(rowsError("entry-amount"))\(each: 0..<rows, entry)\(more("entry", rows))"
    ).markup
  }

  private func entry(_ index: Int) -> Markup {
    let row = index < pattern.entries.count ? pattern.entries[index] : PatternInput.EntryRow()
    let title = localizer.text("patterns.form.entry", ["number": .number(index + 1)])
    return """
      <fieldset class="field"><legend>\(title)</legend><div class="field-row time-rows">\
      \(time("entry-time", index, label: nil, row.time))\
      \(cell("entry-amount", index, text("amount"), row.amount))</div>\
      \(FormField(
        "entry-weekday-\(index + 1)", label: localizer.text("medicines.form.weekdays"),
        kind: .checkboxes(
          Weekday.allCases.map {
            FieldChoice($0.code, localizer.capitalized(localizer.weekday($0.rawValue, .short)))
          }, isCompact: true),
        values: row.weekdays, isRequired: false, localizer: localizer))</fieldset>
      """
  }

  private func open(_ name: String, filled: Int?) -> Int {
    if expanded == name { return PatternInput.rows }
    return max(PatternInput.openRows, filled.map { $0 + 1 } ?? 0)
  }

  private func more(_ name: String, _ rows: Int) -> Markup {
    guard rows < PatternInput.rows else { return Markup() }
    return """
      <button type="submit" class="button button-secondary" name="more" value="\(name)">\
      \(Icon.plus)<span>\(text("more-rows"))</span></button>
      """
  }

  private func rowsError(_ name: String) -> Markup {
    guard let error = errors[name] else { return Markup() }
    return """
      <p class="field-error" id="\(FormField.controlID(name))-error">\(Icon.warning)<span>\
      <span class="visually-hidden">\(localizer.text("parts.field.error")) </span>\(error)</span></p>
      """
  }

  private func id(_ name: String, _ index: Int) -> String {
    index == 0 ? FormField.controlID(name) : "\(FormField.controlID(name))-\(index + 1)"
  }

  private func cell(
    _ name: String, _ index: Int, _ label: String, _ value: String, mode: String? = nil
  ) -> Markup {
    let id = id(name, index)
    return """
      <div class="field"><label for="\(id)">\(label)</label>\
      <input class="input input-number" type="text" id="\(id)" name="\(name)" maxlength="80" \
      autocomplete="off"\(Markup.attribute("inputmode", mode)) value="\(value)"\
      \(if: errors[name] != nil && index == 0, invalid(name))></div>
      """
  }

  private func time(
    _ name: String, _ index: Int, label: Int?, _ row: MedicineInput.TimeRow?
  ) -> Markup {
    let id = id(name, index)
    let words =
      label.map { localizer.text("medicines.form.time", ["number": .number($0)]) } ?? text("time")
    return """
      <div class="field"><label for="\(id)">\(words)</label>\
      <input type="hidden" name="\(name)-slot" value="\(row?.slot.map { String($0) } ?? "")">\
      <input class="input" type="time" id="\(id)" name="\(name)" value="\(row?.text ?? "")"></div>
      """
  }

  private func invalid(_ name: String) -> Markup {
    " aria-invalid=\"true\" aria-describedby=\"\(FormField.controlID(name))-error\""
  }

  // MARK: Hours

  private var spread: Markup {
    FieldGroup(
      kind(.spread), hint: text("spread-help"),
      """
      <div class="field-row">\
      \(number("spread-count", pattern.count, unit: localizer.text("medicines.form.doses-unit")))\
      \(number("spread-gap", pattern.gap, unit: localizer.text("medicines.form.hours-unit")))</div>\
      <div class="field-row">\(clock("spread-from", pattern.from))\
      \(clock("spread-until", pattern.until))</div>\
      \(each: pattern.spreadSlots, {
        "<input type=\"hidden\" name=\"spread-slot\" value=\"\(String($0))\">"
      })
      """
    ).markup
  }

  private var interval: Markup {
    FieldGroup(
      kind(.afterIntake), hint: text("interval-help"),
      """
      <div class="field-row">\
      \(number(
        "interval-hours", pattern.hours, unit: localizer.text("medicines.form.hours-unit")))\
      \(clock("interval-first", pattern.first))</div>\
      <p class="hint">\(text("waking-help"))</p><div class="field-row">\
      \(clock("waking-from", pattern.wakingFrom, isRequired: false))\
      \(clock("waking-until", pattern.wakingUntil, isRequired: false))</div>
      """
    ).markup
  }

  private func number(_ name: String, _ value: String, unit: String) -> Markup {
    FormField(
      name, label: text(name), kind: .integer, value: value, error: errors[name], unit: unit,
      maximumLength: 3, localizer: localizer
    ).markup
  }

  private func clock(_ name: String, _ value: String, isRequired: Bool = true) -> Markup {
    FormField(
      name, label: text(name), kind: .time, value: value, error: errors[name],
      isRequired: isRequired, localizer: localizer
    ).markup
  }

  private func kind(_ kind: MedicineInput.Kind) -> String {
    localizer.text("patterns.form.kind", ["kind": .text(kind.rawValue)])
  }

  private func text(_ name: String) -> String {
    localizer.text(MessageKey("patterns.form.\(name)"))
  }
}
