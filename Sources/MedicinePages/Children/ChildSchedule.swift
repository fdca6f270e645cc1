// SPDX-License-Identifier: Apache-2.0

import HTML
import Identifiers
import Knowledge
import Localization
import Plans
import Prescriptions
import Presentation
import Scheduling
import Storage
import Web

/// The medicines of a child, in the same rows as every list of medicines, with their buttons.
struct ChildSchedule: PagePart {
  let child: Child
  let list: MedicineList
  /// True if there are children to whom a medicine may be copied.
  let siblings: Bool
  let call: Call

  private var localizer: Localizer { call.localizer }

  var markup: Markup {
    var list = self.list
    // Medicines removed from the schedule are on the page of all medicines.
    list.ended = []
    let sections = MedicineSections(
      list: list, clock: MedicineClock(zone: child.zone, localizer: localizer), now: call.now,
      level: .third,
      additions: Dictionary(
        list.all.map { ($0.id, addition(to: $0)) }, uniquingKeysWith: { first, _ in first }))
    return Section(
      localizer.text("children.schedule"), id: "schedule",
      list.isEmpty
        ? "<p class=\"muted\">\(localizer.text("children.no-medicines"))</p>"
        : "<div class=\"medicine-list stack\">\(sections)</div>"
    ).markup
  }

  private func addition(to plan: Plan) -> MedicineSections.Addition {
    let holds = GivenDoses.milligramsOfDose(in: plan.request).map {
      localizer.text(
        "children.each-holds", ["amount": .text(localizer.amount($0, .milligram))])
    }
    let notes = ContraindicationNote.all(in: plan.request)
    let contraindications = PlanContraindications.ofAge(
      column: Ingredient.column(Ingredient.keys(of: plan.request)), for: child.subject(call.region))
    let warnings = contraindications.filter { contraindication in
      !notes.contains { $0.contraindication == contraindication.id }
    }
    .map { SafetyFinding(.age($0), localizer) }
    var addition = MedicineSections.Addition()
    addition.facts = [holds].compactMap(\.self)
    addition.notes = """
      \(each: warnings, { $0.notice(localizer) })\(each: notes, { note in """
        <p class="muted">\(localizer.text(
          "children.set-aside", ["note": .text(note.text), "name": .text(note.by)]))</p>
        """ })
      """
    addition.menu = call.formToken.mayAct ? buttons(plan) : nil
    return addition
  }

  private func buttons(_ plan: Plan) -> Markup {
    func link(_ text: MessageKey, _ part: String, _ icon: Icon) -> LinkButton {
      LinkButton(
        localizer.text(text), address: ChildRoutes.address(child.patient, plan: plan.id, part),
        icon: icon, object: plan.medicineName)
    }
    return """
      \(link("children.edit", "edit", .pencil))\
      \(LinkButton(
        localizer.text("appearance.link"), address: AppearanceRoutes.address(of: plan.id), icon: .pill,
        object: plan.medicineName))\
      \(if: siblings, link("children.copy", "copy", .person).markup)\
      \(link("children.remove", "remove", .stop))
      """
  }
}
