// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Identifiers
import Localization
import People
import Presentation
import Storage
import Web

/// The card with which a record opens: adherence, current medicines and open warnings.
struct CDSPatientCards: Sendable {
  let caller: CDSCaller
  let patient: PatientID

  private var call: Call { caller.call }
  private var localizer: Localizer { call.localizer }

  /// Returns one card; none if there is no such person, or if nothing is shared with the caller.
  func read() async throws -> [CDSCard] {
    let medicines = authorization(ResourceType.medicationRequest.rawValue)
    let adherence = authorization("DoseState")
    let allowed = [medicines, adherence].compactMap(\.self)
    guard !allowed.isEmpty else { return [] }
    let (call, patient, actor) = (call, patient, caller.signedIn.actor)
    let summary = try await call.environment.database.read { reader -> MedicineSummary? in
      guard try PeopleQueries.exists(patient, in: reader) else { return nil }
      let zone = try PeopleQueries.zone(patient, zones: call.environment.zones, in: reader)
      return try MedicineSummary.read(
        patient, sharesAdherence: adherence != nil, actor: actor,
        list: call.environment.interactions.list,
        words: DoseFormatter(localizer: call.localizer, zone: zone, now: call.now), in: reader)
    }
    guard let summary else { return [] }
    for authorization in allowed {
      try await call.environment.audit(authorization, count: 1, at: call.now)
    }
    return [card(summary, showsMedicines: medicines != nil, showsAdherence: adherence != nil)]
  }

  private func authorization(_ resource: String) -> Authorization? {
    let actor = caller.signedIn.actor
    let decision = decide(
      actor: actor, action: .read, patient: patient, resource: resource,
      purpose: actor.purpose(with: patient))
    if case .allow(let authorization) = decision { return authorization }
    return nil
  }

  private func card(
    _ summary: MedicineSummary, showsMedicines: Bool, showsAdherence: Bool
  ) -> CDSCard {
    var lines: [String] = []
    if showsAdherence { lines.append(adherence(summary.adherence)) }
    if showsMedicines {
      lines.append(
        localizer.text("cds.warnings", ["count": .number(summary.warnings.count)]))
      lines.append(
        summary.medicines.isEmpty
          ? localizer.text("cds.no-medicines")
          : localizer.text(
            "cds.medicines", ["names": .text(summary.medicines.joined(separator: ", "))]))
    }
    return CDSCard(
      indicator: summary.warnings.contains(where: \.isSevere) ? .warning : .info,
      title: lines.first ?? "", paragraphs: Array(lines.dropFirst()),
      items: summary.warnings.map(\.title), isOverridable: false)
  }

  private func adherence(_ adherence: MedicineSummary.Adherence?) -> String {
    guard let adherence else {
      return localizer.text("cds.no-doses", ["days": .number(MedicineSummary.days)])
    }
    return localizer.text(
      "cds.adherence",
      [
        "days": .number(MedicineSummary.days), "taken": .number(adherence.taken),
        "planned": .number(adherence.planned), "percent": .number(adherence.percent),
      ])
  }
}
