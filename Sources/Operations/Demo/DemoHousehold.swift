// SPDX-License-Identifier: Apache-2.0

import Access
import AccountPages
import Accounts
import Dosing
import Identifiers
import Knowledge
import Localization
import Observations
import People
import Prescriptions
import Reminders
import Scheduling
import Storage
import TimeZones
import Web

/// Fills an empty installation with invented people and months of history: a family of three and a
/// clinic.
///
/// The history is made with the commands that everyone uses, each with its own time.
package struct DemoHousehold: Sendable {
  /// The length of the history, in days.
  package static let days = 190
  /// The days for which the clinic's patient has been in its care, and the heart rate has been
  /// monitored.
  private static let daysOfTheClinic = 60

  /// The sign-in of a person of the demonstration; it is public, so it protects nothing.
  package struct SignIn: Sendable, Hashable {
    /// The displayed name.
    package let name: String
    /// The address to sign in with.
    package let email: String
    /// The password, in plain text.
    package let password: String
  }

  /// An elderly woman who takes medicines for her heart; she administers the installation.
  package static let heartPatient = SignIn(
    name: "Margot Winter", email: "margot@demo.example", password: "quiet heart in winter")
  /// Her daughter, who cares for her remotely and is the guardian of a child.
  package static let daughter = SignIn(
    name: "Anna Winter", email: "anna@demo.example", password: "a call on sunday evening")
  /// The given name of the daughter's child, who has no account.
  package static let child = "Ben"
  /// The doctor of the clinic.
  package static let doctor = SignIn(
    name: "Dr. Ada Lindqvist", email: "doctor@demo.example", password: "rounds begin at seven")
  /// A patient of the clinic with high blood pressure and diabetes.
  package static let clinicPatient = SignIn(
    name: "Emil Berg", email: "emil@demo.example", password: "salt is in everything")

  /// The sign-ins of all people with an account.
  package static let everybody = [heartPatient, daughter, doctor, clinicPatient]

  let environment: ServerEnvironment
  let language: Language

  /// Creates the household; names of medicines and notes are in the given language.
  package init(environment: ServerEnvironment, language: Language) {
    self.environment = environment
    self.language = language
  }

  /// Creates the accounts and their history up to now.
  ///
  /// - Parameter generator: Decides which doses are missed or late, so that a seeded one repeats
  ///   the history.
  package func furnish(using generator: inout some RandomNumberGenerator & Sendable) async throws {
    let now = environment.now()
    let zone = try environment.zones.zone(environment.settings.homeZone)
    let today = zone.date(at: Instant(milliseconds: now.milliseconds))
    let begin = Timestamp(
      milliseconds: zone.startOfDay(today.adding(days: -Self.days)).milliseconds)
    let margot = try await account(Self.heartPatient, isAdministrator: true, at: begin)
    let anna = try await account(Self.daughter, at: begin)
    let doctor = try await account(Self.doctor, at: begin)
    let emil = try await account(Self.clinicPatient, at: begin)
    let medicines = DemoMedicines(localizer: .of(language))
    let accounts = environment.accounts
    try await environment.database.write { writer in
      try accounts.confirmPractitioner(doctor.id, by: margot.id, at: begin, in: writer)
      // Invented people in an invented clinic may try the dose tables.
      for table in Handbook.shipped.doseTables {
        try DoseApprovals.approve(
          table, version: table.version, by: doctor.id, name: doctor.displayName, at: begin,
          accounts: accounts, in: writer)
      }
      for (relationship, one, patient) in [
        (Relationship.family, anna, margot), (.practitioner, doctor, margot),
        (.practitioner, doctor, emil),
      ] {
        try accounts.grant(
          relationship, of: patient.patient, to: one.id, from: begin, by: patient.id, in: writer)
      }
    }
    let child = try await child(of: anna, born: today.adding(days: -6 * 365 - 40), at: begin)
    try await weigh(child, "22.4", on: today, by: anna, at: now)

    func story(_ life: DemoLife, _ patient: PatientID, _ account: Account) -> DemoStory {
      DemoStory(
        life, patient: patient, account: account, zone: zone,
        first: today.adding(days: -life.days), now: now, localizer: .of(language),
        environment: environment)
    }
    var ofMargot = story(
      DemoLife(medicines: medicines.ofTheHeart, days: Self.days, hasSpray: true),
      margot.patient, margot)
    ofMargot.heart = DemoHeart(
      monitoredFrom: Self.days - Self.daysOfTheClinic, provider: doctor)
    try await live(ofMargot, using: &generator)
    try await live(
      story(
        DemoLife(
          medicines: medicines.ofPressureAndSugar, days: Self.daysOfTheClinic, forgetfulness: 4),
        emil.patient, emil), using: &generator)
    try await live(
      story(
        DemoLife(medicines: medicines.ofTheChild, days: 3, relationship: .guardian), child, anna),
      using: &generator)
    try await alarm(of: margot, on: today, at: now)
    try await DemoPillBox(
      account: emil, zone: zone, localizer: .of(language), environment: environment
    ).furnish(at: now)
    try await DemoCareTeam(
      doctor: doctor,
      born: [
        (margot, today.adding(days: -78 * 365)), (emil, today.adding(days: -59 * 365)),
      ], localizer: .of(language), environment: environment
    ).furnish(at: now)
  }

  private func live(
    _ begun: DemoStory, using generator: inout some RandomNumberGenerator & Sendable
  ) async throws {
    var story = begun
    for day in 0...story.life.days {
      let chances = (0..<DemoStory.chancesPerDay).map { _ in
        Double.random(in: 0..<1, using: &generator)
      }
      story = try await environment.database.write { [story] writer in
        var story = story
        try story.live(day, chances: chances, in: writer)
        return story
      }
    }
  }

  private func account(
    _ person: SignIn, isAdministrator: Bool = false, at begin: Timestamp
  ) async throws -> Account {
    let hash = try await environment.signIn.hash(
      newPassword: person.password, rules: PasswordRules(minimum: 8), context: [])
    return try await Registration(environment: environment).create(
      email: person.email, displayName: person.name, passwordHash: hash,
      isAdministrator: isAdministrator, language: language, at: begin, by: .demonstration)
  }

  /// Creates a child without an account.
  private func child(
    of guardian: Account, born: CivilDate, at begin: Timestamp
  ) async throws -> PatientID {
    let patient: PatientID = environment.newID()
    let context = environment.commandContext(
      for: Actor(
        accountID: guardian.id, kind: .session, relationships: [patient: .guardian],
        scope: .session),
      byName: guardian.displayName, now: begin)
    let details = PatientDetails(
      givenName: Self.child, familyName: "Winter", birthDate: born, language: language,
      zone: environment.settings.homeZone)
    let accounts = environment.accounts
    let localizer = Localizer.of(language)
    let zone = try environment.zones.zone(environment.settings.homeZone)
    let day = zone.date(at: Instant(milliseconds: begin.milliseconds)).text
    try await environment.database.write { writer in
      try PeopleCommands.create(details, patient: patient, context: context, in: writer)
      try accounts.grant(
        .guardian, of: patient, to: guardian.id, from: begin, by: guardian.id, in: writer)
      try HealthProfileCommands.addWeight(
        "21.5", on: day, source: localizer.text("heart-rate.by-hand"), zone: zone, patient: patient,
        context, in: writer)
      try HealthProfileCommands.addAllergy(
        localizer.text("demo.allergy"), reaction: localizer.text("demo.reaction"),
        patient: patient, context, in: writer)
    }
    return patient
  }

  /// Adds a recent weight, so that a dose can be calculated.
  private func weigh(
    _ child: PatientID, _ kilograms: String, on day: CivilDate, by guardian: Account,
    at now: Timestamp
  ) async throws {
    let zone = try environment.zones.zone(environment.settings.homeZone)
    let context = environment.commandContext(
      for: Actor(
        accountID: guardian.id, kind: .session, relationships: [child: .guardian], scope: .session),
      byName: guardian.displayName, now: now)
    let source = Localizer.of(language).text("heart-rate.by-hand")
    try await environment.database.write { writer in
      try HealthProfileCommands.addWeight(
        kilograms, on: day.adding(days: -12).text, source: source, zone: zone, patient: child,
        context, in: writer)
    }
  }

  private func alarm(of account: Account, on today: CivilDate, at now: Timestamp) async throws {
    let commands = AlarmCommands(
      patient: account.patient, account: account.id, now: now, zones: environment.zones)
    let draft = AlarmDraft(
      kind: .pulse, label: "",
      times: AlarmTimes(
        time: ClockTime(hour: 17, minute: 0) ?? .midnight, days: Set(Weekday.allCases),
        starts: today))
    let id = environment.newIdentifier()
    try await environment.database.write { writer in
      try commands.create(draft, id: AlarmID(id), in: writer)
    }
  }
}
