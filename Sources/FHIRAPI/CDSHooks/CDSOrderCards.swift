// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Identifiers
import Localization
import People
import Plans
import Prescriptions
import Presentation
import Storage
import Web

/// The cards about draft orders: the same findings as when a prescription is written here.
struct CDSOrderCards: Sendable {
  let caller: CDSCaller
  let request: CDSRequest
  let service: CDSService

  private var call: Call { caller.call }
  private var localizer: Localizer { call.localizer }

  /// An order with its findings.
  private struct Checked: Sendable {
    let order: CDSOrder
    let findings: MedicineFindings
    let amounts: [AmountFinding]
  }

  /// Returns the cards, the most important first.
  ///
  /// Someone whom the caller may not see is checked like someone without a record here, so that no one learns who
  /// has one.
  func read() async throws -> [CDSCard] {
    let checked = try await checkedByRecord() ?? checkedByPrefetch()
    let selected = checked.filter { request.selections?.contains($0.order.reference) ?? true }
    var cards: [CDSCard] = []
    for one in selected {
      cards += self.cards(one.findings)
      cards += one.amounts.map { card($0, of: one.order) }
    }
    // A finding about two of the orders is reported for both.
    var seen: Set<CDSCard> = []
    cards = cards.filter { seen.insert($0).inserted }
    cards = CDSCard.Indicator.allCases.flatMap { indicator in
      cards.filter { $0.indicator == indicator }
    }
    return service == .orderSign ? cards + unchecked(selected) : cards
  }

  // MARK: Checks

  /// Returns the orders checked together with the person's record; nil if the caller may not read it, or if there
  /// is none.
  private func checkedByRecord() async throws -> [Checked]? {
    let patient = request.patient
    let authorization: Authorization
    switch decide(
      actor: caller.signedIn.actor, action: .read, patient: patient,
      resource: ResourceType.medicationRequest.rawValue,
      purpose: caller.signedIn.actor.purpose(with: patient))
    {
    case .allow(let allowed): authorization = allowed
    case .deny: return nil
    }
    let (call, actor, orders) = (call, caller.signedIn.actor, request.orders)
    let zones = call.environment.zones
    let checked = try await call.environment.database.read { reader -> [Checked]? in
      guard try PeopleQueries.exists(patient, in: reader) else { return nil }
      let zone = try PeopleQueries.zone(patient, zones: zones, in: reader)
      let checker = call.medicineChecker(patient: patient, actor: actor, zone: zone)
      let words = DoseFormatter(localizer: call.localizer, zone: zone, now: call.now)
      let open = Self.open(orders)
      let checks = try checker.check(open.map(\.incoming), in: reader)
      return try zip(open, checks).map { one, check in
        Checked(
          order: one.order, findings: MedicineFindings(check, list: checker.list, words: words),
          amounts: try AmountFinding.unconfirmed(
            one.order.request, subjects: [one.order.id], patient: patient, in: reader))
      }
    }
    guard let checked else { return nil }
    try await call.environment.audit(
      authorization, count: max(1, checked.count), at: call.now)
    return checked
  }

  /// Returns the orders checked together with the prefetched medicines; empty if there are none.
  private func checkedByPrefetch() -> [Checked] {
    guard let prefetched = request.prefetched else { return [] }
    let list = call.environment.interactions.list
    let open = Self.open(request.orders)
    let check = StatedMedicineCheck(
      list: list, birthDate: request.birthDate, region: call.region, now: call.now)
    let checks = check.check(
      open.map(\.incoming), among: prefetched.compactMap(\.incoming), in: localizer.language)
    let words = DoseFormatter(localizer: localizer, zone: check.zone, now: call.now)
    return zip(open, checks).map { one, found in
      Checked(
        order: one.order, findings: MedicineFindings(found, list: list, words: words),
        amounts: AmountFinding.all(in: one.order.request))
    }
  }

  /// Returns the orders that have not ended, with the medicines to check.
  private static func open(
    _ orders: [CDSOrder]
  ) -> [(order: CDSOrder, incoming: IncomingMedicine)] {
    orders.compactMap { order in order.incoming.map { (order: order, incoming: $0) } }
  }

  // MARK: Cards

  private func cards(_ findings: MedicineFindings) -> [CDSCard] {
    var json: JSONValue = [:]
    findings.write(into: &json)
    return (json["findings"]?.array ?? []).map { finding in
      let lines = (finding["text"]?.array ?? []).compactMap(\.string)
      let source = finding["source"]?.string ?? ""
      return CDSCard(
        indicator: Self.indicator(finding["severity"]?.string),
        title: finding["title"]?.string ?? "",
        paragraphs: (lines + [source]).filter { !$0.isEmpty })
    }
  }

  private func card(_ amount: AmountFinding, of order: CDSOrder) -> CDSCard {
    let name = order.request.medicationName ?? ""
    let text = QuestionText(localizer: localizer).text(.amount(amount))
    return CDSCard(
      indicator: .warning, title: name.isEmpty ? text : "\(name): \(text)")
  }

  /// Returns a card with what could not be checked, so that no card is not taken for safety; empty if everything
  /// was.
  private func unchecked(_ checked: [Checked]) -> [CDSCard] {
    var seen: Set<String> = []
    let lines = checked.flatMap(\.findings.unchecked).filter { seen.insert($0).inserted }
    guard !lines.isEmpty else { return [] }
    return [
      CDSCard(
        indicator: .info, title: localizer.text("cds.unchecked"), items: lines,
        isOverridable: false)
    ]
  }

  /// Returns the importance of a severity of the interaction list.
  private static func indicator(_ severity: String?) -> CDSCard.Indicator {
    switch severity {
    case "contraindicated": .critical
    case "severe": .warning
    default: .info
    }
  }
}
