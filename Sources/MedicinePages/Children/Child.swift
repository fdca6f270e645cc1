// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Hummingbird
import Identifiers
import Knowledge
import Localization
import Observations
import People
import Prescriptions
import Scheduling
import Storage
import Web

/// A person on the pages for children.
struct Child: Sendable {
  let person: PersonInReach
  let born: CivilDate?
  let today: CivilDate
  let zone: Zone
  /// The weights, newest first; empty if they are not shared.
  let weights: [BodyWeight]
  /// True if the viewer may see weights.
  let sharesWeights: Bool

  var patient: PatientID { person.patient }
  var ageInMonths: Int? { born.map { ChildAge.months(from: $0, to: today) } }
  /// True if the person is known to be an adult.
  var isGrown: Bool { ageInMonths.map { $0 >= ChildAge.grown } ?? false }
  var weight: BodyWeight? { weights.first }

  /// True if a dose requires a current weight.
  var needsWeight: Bool {
    guard let weight, let ageInMonths else { return true }
    return ChildWeight.isOld(weight, ageInMonths: ageInMonths, today: today)
  }

  func subject(_ region: Region) -> ContraindicationSubject {
    ContraindicationSubject(ageInMonths: ageInMonths, grams: weight?.grams, region: region)
  }

  func age(_ localizer: Localizer) -> String? {
    ageInMonths.map { Self.age($0, localizer) }
  }

  /// Returns the age, such as `3 years`; in months below two years.
  static func age(_ months: Int, _ localizer: Localizer) -> String {
    months < 24
      ? localizer.text("children.age-months", ["n": .number(months)])
      : localizer.text("children.age-years", ["n": .number(months / 12)])
  }

  /// Reads a person; the caller has checked that access is allowed.
  ///
  /// - Parameter part: The Observations of which the viewer may see the weights; nil for none.
  static func read(
    _ person: PersonInReach, weights part: ObservationPart?, _ call: Call, in reader: any SQLReader
  ) throws -> Child {
    let zone = try PeopleQueries.zone(
      person.patient, zones: call.environment.zones, in: reader)
    return Child(
      person: person,
      born: try PeopleQueries.details(person.patient, in: reader)?.details.birthDate,
      today: zone.date(at: Instant(milliseconds: call.now.milliseconds)), zone: zone,
      weights: try part.map {
        try HealthProfileQueries.weights(person.patient, part: $0, in: reader)
      } ?? [],
      sharesWeights: part != nil)
  }

  /// Returns the person in the address, for this page only: the device keeps its chosen person.
  ///
  /// - Parameter action: The access to the person's medicines that is needed.
  static func open(
    _ call: Call, _ signedIn: SignedIn, to action: Access.Action = .read
  ) async throws -> (call: Call, child: Child) {
    let patient = try PatientID(call.parameter("patient"))
    guard let person = call.people.first(where: { $0.patient == patient }) else {
      throw Failure.notFound
    }
    let here = call.visitingOn(patient)
    let authorization = try here.authorize(action, "MedicationRequest", of: patient)
    _ = try here.authorize(.read, "Patient", of: patient)
    let weighing = try? here.authorize(.read, VitalCommands.resource, of: patient)
    let part = weighing?.actor.observations(of: patient)
    let child = try await call.environment.database.read { reader in
      try read(person, weights: part, here, in: reader)
    }
    if action == .read { try await call.environment.audit(authorization, count: 1, at: call.now) }
    return (here, child)
  }

  /// Returns the person for a posted form.
  static func posted(
    _ call: Call, _ signedIn: SignedIn, to action: Access.Action
  ) async throws -> (call: Call, child: Child, form: FormBody) {
    let form = try await FormBody.read(call)
    let patient = try PatientID(call.parameter("patient"))
    try ForgeryGuard.check(form, of: call.visitingOn(patient))
    let (here, child) = try await open(call, signedIn, to: action)
    return (here, child, form)
  }
}
