// SPDX-License-Identifier: Apache-2.0

import Adherence
import HTML
import Localization
import Storage

/// The last doses of a medicine with what became of them, and what was taken besides.
struct MedicineHistory: PagePart {
  let record: MedicineRecord
  let clock: MedicineClock

  private var localizer: Localizer { clock.localizer }

  var markup: Markup {
    let content: Markup =
      record.past.isEmpty && record.extras.isEmpty
      ? "<p class=\"muted\">\(localizer.text("medicines.no-history"))</p>"
      : "<ul class=\"stack-small\" role=\"list\">\(lines)</ul>"
    return Section(localizer.text("medicines.section-history"), content).markup
  }

  /// Doses and extra intakes together, newest first.
  private var lines: [Markup] {
    let doses = record.past.map { ($0.due, line($0)) }
    let extras = record.extras.map { ($0.taken, line($0)) }
    return (doses + extras).sorted { $0.0 > $1.0 }.map(\.1)
  }

  private func line(_ dose: Dose) -> Markup {
    let card = Card(
      title: clock.text(dose.due), address: "/doses/\(dose.id.text)", level: .third, isQuiet: true,
      "<p>\(Self.chip(dose, clock: clock))</p>\(by(dose))")
    return "<li>\(card)</li>"
  }

  private func by(_ dose: Dose) -> Markup? {
    dose.answer.map { answer in
      "<p class=\"muted small\">\(localizer.text("medicines.recorded-by", ["name": .text(answer.by)]))</p>"
    }
  }

  private func line(_ intake: Intake) -> Markup {
    let card = Card(
      title: clock.text(intake.taken), level: .third, isQuiet: true,
      """
      <p>\(StateChip(.taken, detail: clock.time(intake.taken), localizer: localizer)) \
      \(localizer.text("medicines.extra"))</p><p class="muted small">\
      \(localizer.text("medicines.recorded-by", ["name": .text(intake.by)]))</p>
      """)
    return "<li>\(card)</li>"
  }

  /// What became of a dose.
  static func chip(_ dose: Dose, clock: MedicineClock) -> StateChip {
    let localizer = clock.localizer
    let time = dose.answer.map { clock.time($0.at) }
    switch dose.state {
    case .taken:
      return StateChip(dose.isLate ? .late : .taken, detail: time, localizer: localizer)
    case .skipped: return StateChip(.skipped, detail: dose.answer?.reason, localizer: localizer)
    case .refused: return StateChip(.refused, detail: dose.answer?.reason, localizer: localizer)
    case .missed: return StateChip(.missed, localizer: localizer)
    case .cancelled:
      let reason = dose.stateReason.map {
        localizer.text("plans.dose-reason", ["reason": .text($0)])
      }
      return StateChip(.cancelled, detail: reason, localizer: localizer)
    case .withheld: return StateChip(.withheld, localizer: localizer)
    case .scheduled: return StateChip(.scheduled, localizer: localizer)
    case .later:
      return StateChip(.later, detail: dose.laterUntil.map(clock.time), localizer: localizer)
    case .due:
      return dose.isLate
        ? StateChip(.overdue, detail: clock.time(dose.due), localizer: localizer)
        : StateChip(.due, detail: clock.time(dose.onTimeUntil), localizer: localizer)
    }
  }
}
