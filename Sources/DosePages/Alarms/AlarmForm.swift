// SPDX-License-Identifier: Apache-2.0

import HTML
import HTTPTypes
import Hummingbird
import Localization
import Reminders
import Scheduling
import Web

/// The page that adds or changes an alarm.
struct AlarmForm: Sendable {
  let input: AlarmInput
  var mistakes: [AlarmInput.Mistake] = []
  /// The alarm; nil for a new one.
  var alarm: Alarm?
  /// True if the person has the maximum number of alarms.
  var isFull = false
  /// The names of the person's own sounds, by id.
  var ownSounds: [String: String] = [:]

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title =
      alarm.map { $0.name(localizer) } ?? localizer.text("alarms.new")
    frame.place = .me
    frame.back = .init(localizer.text("alarms.title"), address: "/alarms")
    frame.hasErrors = !mistakes.isEmpty || isFull
    let errors = mistakes.map { FieldError(field: $0.field, message: $0.message(localizer)) }
    let full = Notice(
      .warning,
      title: localizer.text("alarms.full", ["maximum": .number(AlarmCommands.most)]))
    return call.page(
      frame,
      """
      <div class="narrow stack-large">\(ErrorSummary(errors, localizer: localizer))\
      \(if: isFull, full.markup)\(form(call))\(removal(call))</div>
      """, status: frame.hasErrors ? .unprocessableContent : .ok)
  }

  private func form(_ call: Call) -> Markup {
    let localizer = call.localizer
    let version: Markup =
      alarm.map { "<input type=\"hidden\" name=\"version\" value=\"\($0.version)\">" } ?? ""
    return Form(
      action: alarm.map { "/alarms/\($0.id)" } ?? "/alarms", token: call.formToken,
      fields: "\(version)\(what(localizer))\(when(localizer))\(how(localizer))",
      buttons: Button(
        localizer.text("alarms.save"), icon: .check, person: call.formToken.personName
      ).markup
    ).markup
  }

  private func error(_ field: String, _ localizer: Localizer) -> String? {
    mistakes.first { $0.field == field }?.message(localizer)
  }

  private func what(_ localizer: Localizer) -> Markup {
    """
    \(FormField(
      "kind", label: localizer.text("alarms.form.kind"),
      kind: .radios(
        AlarmKind.allCases.map { kind in
          FieldChoice(
            kind.rawValue, localizer.text("alarms.form.kinds", ["kind": .text(kind.rawValue)]))
        }, isCompact: true), value: input.kind, error: error("kind", localizer),
      localizer: localizer))\
    \(FormField(
      "label", label: localizer.text("alarms.form.label"), value: input.label,
      hint: localizer.text("alarms.form.label-hint"), error: error("label", localizer),
      isRequired: false, maximumLength: AlarmDraft.longestLabel, localizer: localizer))
    """
  }

  private func when(_ localizer: Localizer) -> Markup {
    """
    \(FormField(
      "time", label: localizer.text("alarms.form.time"), kind: .time, value: input.time,
      error: error("time", localizer), localizer: localizer))\
    \(FormField(
      "repeats", label: localizer.text("alarms.form.repeats"),
      kind: .radios([
        FieldChoice("weekly", localizer.text("alarms.form.weekly")),
        FieldChoice("once", localizer.text("alarms.form.once")),
      ], isCompact: true), value: input.repeats, localizer: localizer))\
    \(FormField(
      "weekday", label: localizer.text("alarms.form.weekdays"),
      kind: .checkboxes(
        Weekday.allCases.map {
          FieldChoice($0.code, localizer.capitalized(localizer.weekday($0.rawValue)))
        }, isCompact: true), values: input.weekdays,
      hint: localizer.text("alarms.form.weekdays-hint"), error: error("weekday", localizer),
      isRequired: false, localizer: localizer))\
    \(FormField(
      "starts", label: localizer.text("alarms.form.starts"), kind: .date(), value: input.starts,
      error: error("starts", localizer), localizer: localizer))\
    \(FormField(
      "ends", label: localizer.text("alarms.form.ends"), kind: .date(), value: input.ends,
      error: error("ends", localizer), isRequired: false, localizer: localizer))
    """
  }

  private func how(_ localizer: Localizer) -> Markup {
    func minutes(_ known: [Int], _ typed: String) -> [FieldChoice] {
      Set(known + [Int(typed)].compactMap(\.self)).sorted().map { count in
        FieldChoice(
          String(count),
          localizer.text(
            "alarms.minutes", ["minutes": .number(count), "hours": .number(count / 60)]))
      }
    }
    let none = FieldChoice("", localizer.text("alarms.form.no-lead"))
    return """
      \(SoundField(
        value: input.sound, ownSounds: ownSounds, error: error("sound", localizer),
        localizer: localizer))\
      \(FormField(
        "snooze", label: localizer.text("alarms.form.snooze"),
        kind: .select(minutes(AlarmDraft.snoozes, input.snooze)), value: input.snooze,
        error: error("snooze", localizer), localizer: localizer))\
      \(FormField(
        "lead", label: localizer.text("alarms.form.lead"),
        kind: .select([none] + minutes(AlarmDraft.leads, input.lead)), value: input.lead,
        hint: localizer.text("alarms.form.lead-hint"), error: error("lead", localizer),
        isRequired: false, localizer: localizer))
      """
  }

  private func removal(_ call: Call) -> Markup {
    guard let alarm else { return Markup() }
    return ButtonRow(
      "\(FormButton(call.localizer.text("alarms.remove"), action: "/alarms/\(alarm.id)/remove", token: call.formToken, kind: .danger, icon: .crossInCircle, object: alarm.name(call.localizer)))"
    ).markup
  }
}

/// The choice of a sound, with a button that plays it.
struct SoundField: PagePart {
  let value: String
  let ownSounds: [String: String]
  var error: String?
  /// True if it links to the page of sounds.
  var leadsToSounds = true
  let localizer: Localizer

  var markup: Markup {
    let known = AlarmSound.allCases.map {
      FieldChoice($0.rawValue, localizer.text("alarms.sound", ["sound": .text($0.rawValue)]))
    }
    let own = ownSounds.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
      .map { FieldChoice($0.key, $0.value) }
    return """
      \(FormField(
        "sound", label: localizer.text("alarms.form.sound"), kind: .select(known + own),
        value: value, error: error, localizer: localizer))\
      <div class="buttons"><button type="button" class="button button-secondary" \
      data-try-sound="\(FormField.controlID("sound"))" data-script hidden>\(Icon.bell)\
      <span>\(localizer.text("alarms.form.try"))</span></button>\
      \(if: leadsToSounds, LinkButton(
        localizer.text("alarms.sounds"), address: SoundRoutes.path, kind: .quiet).markup)</div>
      """
  }
}
