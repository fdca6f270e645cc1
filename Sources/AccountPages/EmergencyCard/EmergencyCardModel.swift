// SPDX-License-Identifier: Apache-2.0

import Access
import CareTeam
import FHIR
import HTML
import Identifiers
import Knowledge
import Localization
import Observations
import People
import Plans
import Presentation
import Records
import Scheduling
import Storage
import Web

/// The facts about a person on the emergency card.
struct EmergencyCardModel: Sendable {
  struct Medicine: Sendable {
    let plan: PlanID
    let name: String
    let request: MedicationRequestView
  }

  struct Contact: Sendable {
    /// The role; nil for a relative.
    let role: CareContact.Role?
    let name: String
    let phone: String
  }

  let name: String
  let birthDate: CivilDate?
  let medicines: [Medicine]
  /// The appearance of the medicines; drawings, never photos.
  let looks: MedicineAppearances
  let allergies: [Allergy]
  /// The conditions as recorded.
  let conditions: [String]
  let contacts: [Contact]
  let zone: Zone

  /// Reads the card for an actor who may see all of it.
  static func read(
    _ patient: PatientID, as actor: Actor, environment: ServerEnvironment, at now: Timestamp,
    in reader: any SQLReader
  ) throws -> EmergencyCardModel {
    for resource in ["Patient", "MedicationRequest"] {
      if case .deny(let reason) = decide(
        actor: actor, action: .read, patient: patient, resource: resource, purpose: .care)
      {
        throw reason
      }
    }
    guard let details = try PeopleQueries.details(patient, in: reader)?.details else {
      throw Failure.notFound
    }
    let recipients = try MessageCommands.recipients(
      of: patient, accounts: environment.accounts, zones: environment.zones, at: now, in: reader
    ).filter { $0.isAgreed && $0.right?.relationship != .practitioner }
    let phones = try MessageCommands.phones(
      of: recipients.map(\.account), accounts: environment.accounts, in: reader)
    let relatives = recipients.compactMap { recipient in
      phones[recipient.account].map { Contact(role: nil, name: recipient.name, phone: $0) }
    }
    return EmergencyCardModel(
      name: details.displayName, birthDate: details.birthDate,
      medicines: try PlanQueries.all(patient: patient, in: reader)
        .filter { $0.status == "active" }
        .map { Medicine(plan: $0.id, name: $0.medicineName, request: $0.request) },
      looks: try MedicineAppearances(of: patient, in: reader),
      allergies: try HealthProfileQueries.allergies(
        search("AllergyIntolerance", patient, actor), in: reader),
      conditions: try conditions(patient, actor, in: reader),
      contacts: relatives
        + details.contacts.map { Contact(role: $0.role, name: $0.name, phone: $0.phone) },
      zone: try PeopleQueries.zone(patient, zones: environment.zones, in: reader))
  }

  /// Returns the active conditions, if any were received.
  private static func conditions(
    _ patient: PatientID, _ actor: Actor, in reader: any SQLReader
  ) throws -> [String] {
    let found = try RecordStore().search(
      RecordSearch(type: "Condition", count: 50),
      authorization: search("Condition", patient, actor), in: reader)
    return try found.records.compactMap { record -> String? in
      let json = try record.json()
      let over = ["inactive", "remission", "resolved"]
      let states = json["clinicalStatus"]?["coding"]?.array ?? []
      let doubts = json["verificationStatus"]?["coding"]?.array ?? []
      guard !states.contains(where: { over.contains($0["code"]?.string ?? "") }),
        !doubts.contains(where: {
          ["entered-in-error", "refuted"].contains($0["code"]?.string ?? "")
        })
      else { return nil }
      return json["code"]?["text"]?.string ?? json["code"]?["coding"]?[0]?["display"]?.string
    }.sorted()
  }

  private static func search(
    _ resource: String, _ patient: PatientID, _ actor: Actor
  ) throws -> SearchAuthorization {
    switch decideSearch(actor: actor, resource: resource, patient: patient, purpose: .care) {
    case .allow(let authorization): return authorization
    case .deny(let reason): throw reason
    }
  }
}

/// The card itself, on one side of a sheet.
struct EmergencyCardView: PagePart {
  let model: EmergencyCardModel
  let words: DoseFormatter
  /// The country whose emergency number is on the card; nil if none was chosen.
  let region: EmergencyRegion?

  private var localizer: Localizer { words.localizer }

  var markup: Markup {
    """
    <article class="card emergency-card">\
    <h2 class="card-title">\(model.name)</h2>\
    \(model.birthDate.map { "<p>\(text("born")) \(words.date($0, .long))</p>" as Markup })\
    \(EmergencyNumber(region: region, localizer: localizer))\
    \(part("allergies", model.allergies.map(allergy), none: "no-allergies"))\
    \(if: !model.conditions.isEmpty, part(
      "conditions", model.conditions.map { Markup(text: $0) }, none: "none"))\
    \(part("medicines", model.medicines.map(medicine), none: "no-medicines"))\
    \(if: !model.contacts.isEmpty, part("contacts", model.contacts.map(contact), none: "none"))\
    <p class="muted small">\(localizer.text(
      "emergency-card.as-of", ["date": .text(words.date(words.today, .long))]))</p></article>
    """
  }

  private func text(_ name: String) -> String {
    localizer.text(MessageKey("emergency-card.\(name)"))
  }

  private func part(_ title: String, _ lines: [Markup], none: String) -> Markup {
    """
    <h3>\(text(title))</h3>\
    \(if: lines.isEmpty, "<p>\(text(none))</p>")\
    \(if: !lines.isEmpty, "<ul>\(each: lines, { "<li>\($0)</li>" })</ul>")
    """
  }

  private func allergy(_ allergy: Allergy) -> Markup {
    "<strong>\(allergy.name)</strong>\(allergy.reaction.map { ": \($0)" as Markup })"
  }

  private func medicine(_ medicine: EmergencyCardModel.Medicine) -> Markup {
    let dosage = DosageFormatter(medicine.request, language: localizer.language)
    let quoted = dosage.sentence.isEmpty ? dosage.quotes.joined(separator: " ") : dosage.sentence
    return """
      <strong>\(medicine.name)</strong>\(if: !quoted.isEmpty, ": \(quoted)")\
      \(model.looks.drawn(medicine.plan, localizer))
      """
  }

  private func contact(_ contact: EmergencyCardModel.Contact) -> Markup {
    let role = contact.role.map {
      localizer.text("missed-dose-advice.role", ["role": .text($0.rawValue)])
    }
    let name = [contact.name, role ?? ""].filter { !$0.isEmpty }.joined(separator: " · ")
    let number = String(
      contact.phone.unicodeScalars.filter { "+0123456789".unicodeScalars.contains($0) })
    return "\(name): <a href=\"tel:\(number)\">\(contact.phone)</a>"
  }
}
