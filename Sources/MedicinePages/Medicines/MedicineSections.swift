// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTML
import Identifiers
import Localization
import Plans
import Presentation
import Scheduling
import Statistics
import Storage
import Web

/// The person's medicines in short rows: by time of day, as needed, paused and ended.
struct MedicineSections: PagePart {
  /// The additions of a page to a medicine's row.
  struct Addition: Sendable {
    var facts: [String] = []
    /// Warnings and remarks, shown with the first row of the medicine.
    var notes = Markup()
    /// The buttons in the row's menu; nil for none.
    var menu: Markup?
  }

  /// The number of ended medicines up to which they are listed expanded.
  static let mostEnded = 3

  let list: MedicineList
  let clock: MedicineClock
  let now: Timestamp
  var level = HeadingLevel.second
  /// The additions by plan; empty if the page has none.
  var additions: [PlanID: Addition] = [:]

  private var localizer: Localizer { clock.localizer }

  var markup: Markup {
    let byTime = MedicinesByTime(list.running, zone: clock.zone)
    var named: Set<PlanID> = []
    var sections = byTime.groups.map { group, entries in
      section(
        title(group), id: id(group),
        entries.map { row($0, isFirst: named.insert($0.plan.id).inserted) })
    }
    sections.append(
      section(
        localizer.text("as-needed.title"), id: "as-needed",
        list.asNeeded.map { plain($0, [stated($0)].compactMap(\.self)) }))
    sections.append(
      section(
        localizer.text("medicines.section-unplanned"), id: "unplanned",
        list.unplanned.map { plain($0, [unplanned($0)]) }))
    sections.append(
      section(
        localizer.text("medicines.section-paused"), id: "paused",
        list.paused.map { plain($0, [paused($0)]) }))
    sections.append(ended)
    return Markup.joined(sections)
  }

  // MARK: Sections

  private func section(_ title: String, id: String, _ rows: [MedicineRow]) -> Markup {
    guard !rows.isEmpty else { return Markup() }
    return """
      <section class="section" id="\(id)">\(level.heading(Markup(text: title)))\(items(rows))</section>
      """
  }

  private func items(_ rows: [MedicineRow]) -> Markup {
    "<ul class=\"medicine-rows\" role=\"list\">\(rows)</ul>"
  }

  /// The ended medicines; a long list is collapsed.
  private var ended: Markup {
    let rows = list.ended.map { plain($0, [MedicineEnding($0).text(clock)]) }
    guard rows.count > Self.mostEnded else {
      return section(localizer.text("medicines.section-ended"), id: "ended", rows)
    }
    let title = localizer.text("medicines.ended-count", ["count": .number(rows.count)])
    return "<section class=\"section\" id=\"ended\">\(Disclosure(title, items(rows)))</section>"
  }

  private func title(_ group: MedicinesByTime.Group) -> String {
    switch group {
    case .part(let part): localizer.text("charts.part", ["part": .text(part.rawValue)])
    case .otherDays: localizer.text("medicines.other-days")
    }
  }

  private func id(_ group: MedicinesByTime.Group) -> String {
    switch group {
    case .part(let part): "part-\(part.rawValue)"
    case .otherDays: "other-days"
    }
  }

  // MARK: Rows

  private func row(_ entry: MedicinesByTime.Entry, isFirst: Bool) -> MedicineRow {
    var row = plain(entry.plan, facts(entry), isFirst: isFirst)
    if let next = entry.next {
      row.next = (label: localizer.text("medicines.next-label"), time: moment(next.due))
    }
    return row
  }

  private func plain(_ plan: Plan, _ facts: [String], isFirst: Bool = true) -> MedicineRow {
    let addition = additions[plan.id]
    var row = MedicineRow(
      plan: plan, picture: list.looks.picture(plan.id, plan.medicineName, localizer)?.markup)
    row.facts = facts + (addition?.facts ?? [])
    row.notes = isFirst ? addition?.notes ?? Markup() : Markup()
    if let buttons = addition?.menu {
      row.menu = (label: localizer.text("today.more"), buttons: buttons)
    }
    return row
  }

  /// Returns the amount, and the times if there are several within the part of the day.
  private func facts(_ entry: MedicinesByTime.Entry) -> [String] {
    guard entry.next != nil else { return [localizer.text("medicines.no-more-doses")] }
    let usual = stated(entry.plan)
    let doses = entry.doses.map { dose in
      (time: clock.time(dose.due), amount: dose.amount.map(amount) ?? usual)
    }
    let amounts = Set(doses.map { $0.amount })
    if amounts.count == 1 {
      let times = doses.count == 1 ? nil : localizer.list(doses.map { $0.time })
      return [doses.first?.amount, times].compactMap(\.self)
    }
    return doses.map { dose in
      guard let amount = dose.amount else { return dose.time }
      return localizer.text(
        "medicines.time-and-amount", ["time": .text(dose.time), "amount": .text(amount)])
    }
  }

  private func amount(_ amount: Amount) -> String {
    MedicineFormatter(localizer: localizer).amount(amount)
  }

  /// The amount that the prescription states, if its dosages agree on one.
  private func stated(_ plan: Plan) -> String? {
    let amounts = plan.request.dosages.map { dosage -> Amount? in
      guard let quantity = dosage.doseQuantity, quantity.comparator == nil,
        let value = quantity.valueText
      else { return nil }
      return Amount(value: value, unit: quantity.unit ?? quantity.code ?? "", code: quantity.code)
    }
    guard let first = amounts.first, amounts.allSatisfy({ $0 == first }) else { return nil }
    return first.map(amount)
  }

  private func unplanned(_ plan: Plan) -> String {
    localizer.text(
      "medicines.no-reminders", ["reason": .text(plan.unplanned?.text(localizer) ?? "")])
  }

  private func paused(_ plan: Plan) -> String {
    let ending = MedicineEnding(plan)
    let date = ending.date.map { clock.text(clock.day(of: $0), .medium) } ?? "none"
    return localizer.text(
      "medicines.paused",
      ["date": .text(date), "reason": .text(ending.reason ?? "none")])
  }

  /// Returns a time such as `Today, 20:00`; after tomorrow with the date.
  private func moment(_ due: Timestamp) -> String {
    let (day, today) = (clock.day(of: due), clock.day(of: now))
    let when =
      day == today ? "today" : day == today.adding(days: 1) ? "tomorrow" : "other"
    return localizer.text(
      "medicines.next-when",
      [
        "when": .text(when), "day": .text(clock.text(day, .short)),
        "time": .text(clock.time(due)),
      ])
  }
}
