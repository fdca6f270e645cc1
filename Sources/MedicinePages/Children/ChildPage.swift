// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import HTML
import Hummingbird
import Identifiers
import Knowledge
import Localization
import Plans
import Prescriptions
import Presentation
import Scheduling
import SiteMap
import Storage
import Web

/// A child's schedule, made of the same plans and doses as on every other page.
package struct ChildPage: Sendable {
  let child: Child
  let list: MedicineList
  /// Today's doses.
  let doses: [Dose]
  /// The doses given in the last 24 hours, from any product.
  let given: [Intake]
  /// The doses of each plan that were taken more recently than its minimum interval.
  let lately: [PlanID: [Intake]]
  /// Today's doses that were already past when their medicines were added.
  let passed: [PassedDoses.OfPlan]
  /// The country whose emergency number is shown; nil if none was chosen.
  let region: EmergencyRegion?
  /// The children to whom a medicine may be copied.
  let siblings: Bool

  private static let day: Int64 = 24 * 3_600_000

  @Sendable static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (here, child) = try await Child.open(call, signedIn)
    _ = try here.authorize(.read, "Dose", of: child.patient)
    guard !child.isGrown else { return GrownChildPage.response(here, child) }
    let (patient, now, zones) = (child.patient, here.now, here.environment.zones)
    let from = Timestamp(milliseconds: child.zone.startOfDay(child.today).milliseconds)
    let until = Timestamp(
      milliseconds: child.zone.startOfDay(child.today.adding(days: 1)).milliseconds)
    let region = try await here.emergencyRegion()
    let page = try await here.environment.database.read { reader in
      ChildPage(
        child: child,
        list: try MedicineReading.list(patient: patient, now: now, zones: zones, in: reader),
        doses: try DoseQueries.listing(
          patient: patient, from: from, until: until, now: now, zones: zones, in: reader
        ).doses.filter { $0.state != .cancelled },
        given: try IntakeQueries.recent(
          patient: patient, from: now.adding(milliseconds: -day),
          until: now.adding(milliseconds: 1), in: reader),
        lately: try IntakeQueries.latestWithinGap(before: now, patient: patient, in: reader),
        passed: try PassedDoses.today(of: patient, now: now, zones: zones, in: reader),
        region: region,
        siblings: here.people.contains { $0.mayAct && $0.patient != patient })
    }
    return page.response(here)
  }

  private func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = child.person.name
    frame.lead = child.age(localizer)
    frame.place = .people
    frame.back = .init(localizer.text("children.title"), address: Address.children)
    frame.isLive = true
    let words = DoseFormatter(localizer: localizer, zone: child.zone, now: call.now)
    frame.flash =
      flash(call)
      ?? DoneNote(call)?.flash(
        doses, words: words, now: call.now, token: call.formToken,
        returnPath: ChildRoutes.address(child.patient),
        newIdentifier: call.environment.newIdentifier)
    return call.page(
      frame,
      """
      <div class="narrow stack-large">\
      \(EmergencyNumber(region: region, localizer: localizer))\(weight(call))\(actions(localizer, call.formToken))\
      \(PassedDosesPart(passed: passed, words: words, token: call.formToken))\
      \(today(words, call))\(givenPart(words))\
      \(ChildSchedule(child: child, list: list, siblings: siblings, call: call))</div>
      """)
  }

  private func flash(_ call: Call) -> FlashBar? {
    let localizer = call.localizer
    guard let done = call.queryValue("done"),
      ["saved", "restored", "weight", "removed"].contains(done)
    else { return nil }
    if done == "removed" {
      guard let plan = list.ended.first(where: { $0.id.text == call.queryValue("plan") }),
        plan.isRemoved
      else { return nil }
      return FlashBar(
        localizer.text("children.removed", ["name": .text(plan.medicineName)]),
        undo: FormButton(
          localizer.text("children.undo"),
          action: ChildRoutes.address(child.patient, plan: plan.id, "restore"),
          token: call.formToken, kind: .secondary, icon: .undo, object: plan.medicineName))
    }
    return FlashBar(localizer.text("children.done", ["done": .text(done)]))
  }

  // MARK: Weight

  private func weight(_ call: Call) -> Markup {
    let localizer = call.localizer
    guard child.ageInMonths != nil else {
      return Notice(
        .warning, title: localizer.text("children.no-birth-date"),
        LinkButton(
          localizer.text("children.enter-birth-date"),
          address: PersonChoice.visit(Address.healthProfile, child.patient)
        )
        .markup
      ).markup
    }
    guard child.sharesWeights else { return Markup() }
    let form = ChildWeightForm(
      child: child, returnPath: ChildRoutes.address(child.patient), token: call.formToken,
      localizer: localizer)
    guard let weight = child.weight else {
      return Notice(.warning, title: localizer.text("children.weight.none"), form.markup).markup
    }
    let line = ChildText.weight(weight, localizer)
    if child.needsWeight {
      return Notice(
        .warning, title: localizer.text("children.weight.old"), "<p>\(line)</p>\(form)"
      ).markup
    }
    return """
      <div><p class="number">\(line)</p>\
      \(if: call.formToken.mayAct, Disclosure(localizer.text("children.weight.new"), form.markup).markup)\
      </div>
      """
  }

  private func actions(_ localizer: Localizer, _ token: FormToken) -> Markup {
    guard token.mayAct else { return Markup() }
    return ButtonRow(
      """
      \(LinkButton(
        localizer.text("children.add-medicine"),
        address: ChildRoutes.address(child.patient, "new"), kind: .primary, icon: .plus))\
      \(LinkButton(
        localizer.text("children.how-much"), address: ChildRoutes.address(child.patient, "dose"),
        icon: .pill))\
      \(LinkButton(
        localizer.text("children.write-down"),
        address: PersonChoice.visit(
          "/entry?return=\(ChildRoutes.address(child.patient))", child.patient), icon: .pencil))\
      \(LinkButton(
        localizer.text("knowledge.link"), address: Address.knowledge, kind: .quiet, icon: .info))
      """
    ).markup
  }

  // MARK: Today

  private func today(_ words: DoseFormatter, _ call: Call) -> Section {
    let localizer = words.localizer
    return Section(
      localizer.text("children.today"), id: "today",
      doses.isEmpty
        ? "<p class=\"muted\">\(localizer.text("children.no-doses"))</p>"
        : DoseList(doses.map { card($0, words, call) }).markup)
  }

  private func card(_ dose: Dose, _ words: DoseFormatter, _ call: Call) -> DoseCard {
    let localizer = words.localizer
    let isOpen = [.due, .later, .withheld].contains(dose.state)
    let earlier = isOpen ? lately[dose.plan] ?? [] : []
    var details = Markup()
    if let answer = dose.answer {
      let who = localizer.text(
        "dose.taken-by", ["when": .text(words.moment(answer.at)), "name": .text(answer.by)])
      details =
        dose.state == .taken
        ? "<p><strong>\(localizer.text("children.given", ["taken": .text(who)]))</strong></p>"
        : "<p class=\"muted\">\(who)</p>"
    } else if !earlier.isEmpty {
      details =
        Notice(
          .warning,
          title: localizer.text("dose.question.row", ["taken": .text(words.taken(earlier))])
        ).markup
    } else if isOpen, let times = words.times(of: dose, hasOwnRule: true) {
      details = "<p>\(times)</p>"
    }
    let button: Markup =
      isOpen && call.formToken.mayAct
      ? FormButton(
        localizer.text(earlier.isEmpty ? "children.give" : "today.taken-too"),
        action: "/doses/\(dose.id.text)/answers", token: call.formToken,
        fields: [
          ("action", "taken"), ("event", call.environment.newIdentifier()),
          ("return", ChildRoutes.address(child.patient)),
        ] + earlier.map { ("confirm", $0.administration.text) },
        kind: earlier.isEmpty ? .primary : .secondary, icon: .check, object: dose.medicineName
      ).markup : Markup()
    let emphasis: DoseCard.Emphasis =
      isOpen ? (dose.isLate ? .late : .now) : dose.state == .scheduled ? .later : .done
    return DoseCard(
      emphasis, time: words.time(dose.due), timestamp: words.machine(dose.due),
      name: dose.medicineName,
      address: PersonChoice.visit(
        "/doses/\(dose.id.text)?return=\(ChildRoutes.address(child.patient))", child.patient),
      sentence: (dose.answer?.amount ?? dose.amount).map(words.amount), chip: words.chip(dose),
      details: """
        \(if: emphasis != .done, "\(list.looks.row(dose.plan, dose.medicineName, localizer))")\(details)
        """,
      actions: button, dose: dose)
  }

  private func givenPart(_ words: DoseFormatter) -> Markup {
    guard !given.isEmpty else { return Markup() }
    return Section(
      words.localizer.text("children.last-day"), id: "given",
      "<ul class=\"stack-small\" role=\"list\">\(each: given.reversed(), { "<li>\(Self.line($0, words))</li>" })</ul>"
    ).markup
  }

  /// Returns a line such as `Paracetamol, 5 mL: 08:04 by Ann`.
  static func line(_ intake: Intake, _ words: DoseFormatter) -> String {
    let name = intake.amount.map { "\(intake.medicineName), \(words.amount($0))" }
    return "\(name ?? intake.medicineName): \(words.taken([intake]))"
  }
}
