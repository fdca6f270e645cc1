// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import CareTeam
import Dosing
import Identifiers
import Localization
import People
import Prescriptions
import Scheduling
import Storage
import TimeZones
import Web

/// The clinic of the demonstration: a doctor in the directory, with a note, and an open
/// prescription.
struct DemoCareTeam: Sendable {
  let doctor: Account
  /// The patients with their birth dates; the last one has a prescription to review.
  let born: [(account: Account, date: CivilDate)]
  let localizer: Localizer
  let environment: ServerEnvironment

  func furnish(at now: Timestamp) async throws {
    let accounts = environment.accounts
    let profile = PractitionerProfile(
      account: doctor.id, displayName: doctor.displayName, isListed: true,
      specialty: localizer.text("demo.specialty"), place: localizer.text("demo.place"),
      phone: "+47 555 0142", hours: localizer.text("demo.hours"), illnesses: [],
      code: InvitationCode(random: environment.random).text)
    let prescriber = context(doctor, at: now)
    let note = localizer.text("demo.care-note")
    let id = environment.newIdentifier()
    try await environment.database.write { writer in
      try accounts.save(profile, at: now, in: writer)
      for (account, date) in born {
        guard var details = try PeopleQueries.details(account.patient, in: writer)?.details else {
          continue
        }
        details.birthDate = date
        try PeopleCommands.change(
          details, patient: account.patient, context: context(account, at: now), in: writer)
      }
      guard let (account, date) = born.last else { return }
      try CareNotes.add(
        note, of: account.patient, accounts: accounts, context: prescriber, in: writer)
      try PrescriptionCommands(patient: account.patient, accounts: accounts, context: prescriber)
        .prescribe(
          DemoMedicines(localizer: localizer).prescribed.draft(from: today(now)),
          id: ProposalID(id),
          identity: PatientIdentity(name: account.displayName, birthDate: date.text), in: writer)
    }
  }

  private func today(_ now: Timestamp) throws -> CivilDate {
    try environment.zones.zone(environment.settings.homeZone)
      .date(at: Instant(milliseconds: now.milliseconds))
  }

  private func context(_ account: Account, at now: Timestamp) -> CommandContext {
    environment.commandContext(
      for: Actor(
        accountID: account.id, kind: .session, relationships: [account.patient: .self_],
        scope: .session),
      byName: account.displayName, now: now)
  }
}
