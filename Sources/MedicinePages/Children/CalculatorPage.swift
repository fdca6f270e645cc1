// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import Hummingbird
import Knowledge
import Localization
import Observations
import Plans
import Prescriptions
import Presentation
import Scheduling
import SiteMap
import Storage
import Web

/// The calculator for a child's amount of a liquid medicine: first the bottle's label, then the
/// number from an approved table.
package struct CalculatorPage: Sendable {
  /// The bottle of a table that was chosen.
  struct Bottle: Sendable, Hashable {
    static let other = "other"

    let ingredient: String
    let strength: LiquidStrength

    var value: String {
      "\(ingredient) \(strength.mass.milligramsText)/\(strength.volume.millilitresText)"
    }

    /// Returns the bottles in the tables of a region.
    static func all(_ region: Region) -> [Bottle] {
      var seen: Set<Bottle> = []
      return Handbook.shipped.doseTables.filter { $0.region == region }
        .flatMap { table in
          table.strengths.map { Bottle(ingredient: table.ingredient, strength: $0) }
        }
        .filter { seen.insert($0).inserted }
    }

    func name(_ localizer: Localizer) -> String {
      localizer.text(
        "children.bottle",
        [
          "name": .text(Handbook.shipped.title(ofIngredient: ingredient, localizer.language)),
          "mass": .text(ChildText.milligrams(strength.mass.milligramsText, localizer)),
          "volume": .text(ChildText.millilitres(strength.volume.millilitresText, localizer)),
        ])
    }
  }

  /// The age in months below which a premature birth may matter.
  private static let termAsked = 3

  let child: Child
  let region: Region?
  /// The chosen bottle's value, `other`, or nil.
  let chosen: String?
  let isTerm: Bool
  /// The reason for giving it, as a topic's id.
  let topic: Topic?
  /// The country whose emergency number is shown; nil if none was chosen.
  let emergency: EmergencyRegion?
  var answer: DoseRecommendation?
  var isImpossible = false
  var given: [Intake] = []

  private var bottles: [Bottle] { region.map(Bottle.all) ?? [] }
  private var bottle: Bottle? { bottles.first { $0.value == chosen } }

  @Sendable static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (here, child) = try await Child.open(call, signedIn)
    _ = try here.authorize(.read, "Dose", of: child.patient)
    _ = try here.authorize(.read, VitalCommands.resource, of: child.patient)
    guard !child.isGrown else { return GrownChildPage.response(here, child) }
    let emergency = try await here.emergencyRegion()
    var page = CalculatorPage(
      child: child, region: here.knownRegion, chosen: here.queryValue("bottle"),
      isTerm: here.queryValue("term") != nil,
      topic: here.queryValue("topic").flatMap(Handbook.shipped.topic), emergency: emergency)
    if let region = page.region, !child.needsWeight, let chosen = page.chosen {
      let bottle = page.bottle
      guard bottle != nil || chosen == Bottle.other else {
        return here.redirect(to: ChildRoutes.address(child.patient, "dose"))
      }
      let (now, patient, isTerm) = (here.now, child.patient, page.isTerm)
      do {
        let found = try await here.environment.database.read { reader in
          guard let bottle else { return Found(answer: .askPharmacist(.otherStrength), given: []) }
          let approvals = try DoseApprovals.inForce(Handbook.shipped.doseTables, in: reader)
            .map { $0.approval(in: child.zone) }
          return Found(
            answer: try ChildDose.ask(
              bottle.ingredient, strength: bottle.strength, subject: child.subject(region),
              isBornAfter37Weeks: isTerm ? true : nil, patient: patient, approvals: approvals,
              now: now, in: reader),
            given: try IntakeQueries.recent(
              patient: patient, from: now.adding(milliseconds: -24 * 3_600_000),
              until: now.adding(milliseconds: 1), in: reader))
        }
        (page.answer, page.given) = (found.answer, found.given)
      } catch is DoseQuestionError {
        page.isImpossible = true
      }
    }
    return page.response(here)
  }

  private struct Found: Sendable {
    let answer: DoseRecommendation?
    let given: [Intake]
  }

  private func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("children.calculator", ["name": .text(child.person.name)])
    frame.lead = child.age(localizer)
    frame.place = .lookup
    frame.back = .init(child.person.name, address: ChildRoutes.address(child.patient))
    frame.flash =
      call.queryValue("done") == "weight"
      ? FlashBar(localizer.text("children.done", ["done": "weight"])) : nil
    return call.page(
      frame,
      "<div class=\"narrow stack-large\">\(EmergencyNumber(region: emergency, localizer: localizer))\(content(call))</div>"
    )
  }

  private func content(_ call: Call) -> Markup {
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
    if child.needsWeight {
      let form = ChildWeightForm(
        child: child, returnPath: address(of: call), token: call.formToken, localizer: localizer)
      return Notice(
        .warning,
        title: localizer.text(
          child.weight == nil ? "children.weight.none" : "children.weight.old"),
        "\(child.weight.map { "<p>\(ChildText.weight($0, localizer))</p>" as Markup })\(form)"
      ).markup
    }
    let line = child.weight.map { ChildText.weight($0, localizer) } ?? ""
    return """
      <p class="number">\(line)</p>\(regions(call, localizer))\
      \(if: region != nil, "\(result(call))\(form(localizer))")
      """
  }

  /// The address of this page, to return to.
  private func address(of call: Call) -> String {
    let page = ChildRoutes.address(child.patient, "dose")
    return topic.map { "\(page)?topic=\($0.id)" } ?? page
  }

  private func regions(_ call: Call, _ localizer: Localizer) -> Markup {
    let tabs = Region.allCases.map { choice in
      SegmentedTabs.Tab(
        localizer.text("knowledge.region", ["region": .text(choice.rawValue)]),
        address: PreferenceAddress.link(
          PreferenceAddress.region, choice.rawValue, from: address(of: call)),
        isCurrent: choice == region)
    }
    return """
      <div><p>\(localizer.text("knowledge.region-help"))</p>\
      \(SegmentedTabs(label: localizer.text("knowledge.region-label"), tabs))</div>
      """
  }

  /// Changes nothing, so it is a GET form.
  private func form(_ localizer: Localizer) -> Markup {
    let choices =
      bottles.map { FieldChoice($0.value, $0.name(localizer)) }
      + [FieldChoice(Bottle.other, localizer.text("children.bottle-other"))]
    let isYoung = (child.ageInMonths ?? 0) < Self.termAsked
    return """
      <form class="form" method="get" action="\(ChildRoutes.address(child.patient, "dose"))" novalidate>\
      \(topic.map { "<input type=\"hidden\" name=\"topic\" value=\"\($0.id)\">" as Markup })\
      \(FormField(
        "bottle", label: localizer.text("children.bottle-question"), kind: .radios(choices),
        value: chosen, hint: localizer.text("children.bottle-hint"), localizer: localizer))\
      \(if: isYoung, FormField(
        "term", label: localizer.text("children.term"),
        kind: .checkboxes([FieldChoice("yes", localizer.text("children.term-yes"))]),
        values: isTerm ? ["yes"] : [], isRequired: false, localizer: localizer).markup)\
      \(ButtonRow(Button(localizer.text("children.calculate"), icon: .pill).markup))</form>
      """
  }

  private func result(_ call: Call) -> Markup {
    let localizer = call.localizer
    if isImpossible { return ask(localizer.text("children.ask", ["reason": "impossible"]), call) }
    guard chosen != nil, let answer else { return Markup() }
    let words = DoseFormatter(localizer: localizer, zone: child.zone, now: call.now)
    let inside: Markup
    switch answer {
    case .dose(let dose):
      inside =
        CalculatedDose(dose: dose, localizer: localizer).markup
        + (call.formToken.mayAct ? schedule(dose, localizer) : Markup())
    case .later(let dose, let minutes):
      let when = call.now.adding(milliseconds: Int64(minutes) * 60_000)
      inside =
        Notice(
          .warning,
          title: localizer.text("children.not-before", ["when": .text(words.moment(when))])
        ).markup + CalculatedDose(dose: dose, localizer: localizer).markup
        + (call.formToken.mayAct ? schedule(dose, localizer) : Markup())
    case .contraindicated(let contraindications):
      inside = """
        \(each: contraindications, { SafetyFinding(.age($0), localizer).notice(localizer) })\
        <p><strong>\(localizer.text("children.ask-title"))</strong></p>
        """
    case .askPharmacist(let reason):
      inside = ask(localizer.text("children.ask", ["reason": .text(reason.word)]), call)
    }
    let list: Markup =
      given.isEmpty
      ? "<p class=\"muted\">\(localizer.text("children.nothing-given"))</p>"
      : "<ul class=\"stack-small\" role=\"list\">\(each: given, { "<li>\(ChildPage.line($0, words))</li>" })</ul>"
    return """
      <div class="stack" role="status" id="result">\(inside)</div>\
      \(Section(localizer.text("children.last-day"), id: "given", list))
      """
  }

  /// Shows no number, but whom to ask.
  private func ask(_ reason: String, _ call: Call) -> Markup {
    CareCard(
      .urgent, title: call.localizer.text("children.ask-title"), localizer: call.localizer,
      "<p>\(reason)</p>"
    ).markup
  }

  /// Returns the link to the schedule form, filled in with the result for another check.
  private func schedule(_ dose: ReferenceDose, _ localizer: Localizer) -> Markup {
    guard let bottle else { return Markup() }
    let (whole, fraction) = ChildPlanInput.parts(dose.mostVolume.millilitresText)
    let pairs = [
      ("name", Handbook.shipped.title(ofIngredient: bottle.ingredient, localizer.language)),
      ("strength-mg", bottle.strength.mass.milligramsText),
      ("strength-ml", bottle.strength.volume.millilitresText), ("whole", whole),
      ("fraction", fraction), ("unit", "milliliter"), ("gap", "\(dose.table.hours)"),
      ("most", "\(dose.doses)"), ("need", topic?.title(in: localizer.language) ?? ""),
    ]
    let query = pairs.map { "\($0.0)=\(QueryText.encode($0.1))" }.joined(separator: "&")
    return ButtonRow(
      LinkButton(
        localizer.text("children.to-schedule"),
        address: "\(ChildRoutes.address(child.patient, "new"))?\(query)", kind: .primary,
        icon: .calendar
      ).markup
    ).markup
  }
}

/// A calculated dose with everything that must be read with it.
struct CalculatedDose: PagePart {
  let dose: ReferenceDose
  let localizer: Localizer

  var markup: Markup {
    let table = dose.table
    let handbook = Handbook.shipped
    let sources = (dose.row.sources + table.daySources).compactMap(handbook.source)
    let isReRead = dose.row.facts == .read && sources.allSatisfy { $0.facts == .read }
    return """
      <div class="card stack"><p class="dose-time">\(volume)</p><p class="number">\(mass)</p>\
      <ul class="stack-small" role="list"><li>\(localizer.text(
        "children.at-most",
        ["count": .number(dose.doses), "hours": .number(table.hours)]))</li>\
      <li>\(localizer.text(
        "children.day-most", ["amount": .text(milligrams(dose.dayMaximum))]))</li>\
      <li>\(localizer.text(
        "children.already",
        ["amount": .text(milligrams(dose.alreadyGiven)), "left": .number(dose.dosesLeft)]))</li></ul>\
      \(if: !isReRead, Notice(.warning, title: localizer.text("dose-tables.not-read")).markup)\
      <p class="small muted">\(localizer.text(
        "children.approved",
        [
          "table": .text(table.id), "version": .number(table.version),
          "name": .text(dose.approval.by), "day": .text(
            CivilDate(text: dose.approval.day).map { ChildText.day($0, localizer) }
              ?? dose.approval.day),
        ]))</p>\
      \(SourceDisclosure(sources: sources, localizer: localizer))</div>
      """
  }

  private var volume: String {
    range(
      ChildText.millilitres(dose.leastVolume.millilitresText, localizer),
      ChildText.millilitres(dose.mostVolume.millilitresText, localizer))
  }

  private var mass: String { range(milligrams(dose.least), milligrams(dose.most)) }

  private func range(_ least: String, _ most: String) -> String {
    least == most
      ? most : localizer.text("children.range", ["least": .text(least), "most": .text(most)])
  }

  private func milligrams(_ mass: IngredientMass) -> String {
    ChildText.milligrams(mass.milligramsText, localizer)
  }
}

extension NoDoseReason {
  /// The code that identifies it in text keys.
  var word: String {
    switch self {
    case .noStrength: "no-strength"
    case .noTable: "no-table"
    case .otherStrength: "other-strength"
    case .notApproved: "not-approved"
    case .outsideTable: "outside"
    case .conditionsNotMet: "conditions"
    case .unknownGiven: "unknown-given"
    case .beyondDay: "beyond-day"
    }
  }
}

extension Handbook {
  /// Returns the name of an ingredient in a language.
  func title(ofIngredient ingredient: String, _ language: Language) -> String {
    medicines.first { $0.ingredients == [ingredient] }?.title(language) ?? ingredient
  }
}
