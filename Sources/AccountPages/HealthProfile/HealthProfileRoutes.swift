// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Observations
import People
import Presentation
import Records
import Scheduling
import SiteMap
import Storage
import Web

/// The allergies, weights and photo of a person: small forms on the page of the health profile.
package enum HealthProfileRoutes {
  /// The forms, and the address of photos.
  package static let all: [Route] = [
    .form(allergiesPath, addAllergy),
    .form("\(allergiesPath)/:allergy/remove") {
      try await remove("allergy", $0, HealthProfileCommands.removeAllergy)
    },
    .form(weightsPath, addWeight),
    .form("\(weightsPath)/:weight/remove") {
      try await remove("weight", $0, HealthProfileCommands.removeWeight)
    },
    .page(.post, photoPath, PhotoForm.save).takingFile(upTo: PhotoReader.maximumFile),
    .form("\(photoPath)/remove", PhotoForm.remove),
    .page(.get, "\(PersonInReach.photosPath)/:patient", PhotoForm.show),
  ]

  static let allergiesPath = "\(Address.healthProfile)/allergies"
  static let weightsPath = "\(Address.healthProfile)/weights"
  static let photoPath = "\(Address.healthProfile)/photo"
  static let allergyField = "allergy"
  static let weightField = "weight"
  static let dayField = "day"
  static let photoField = "photo"

  private static func addAllergy(_ form: PostedForm) async throws -> Response {
    var input = HealthProfileInput()
    input.allergy = form.raw(allergyField) ?? ""
    input.reaction = form.raw("reaction") ?? ""
    let (patient, name, reaction) = (form.patient, input.allergy, input.reaction)
    return try await save(input, "allergies", form) { context, writer in
      try HealthProfileCommands.addAllergy(
        name, reaction: reaction, patient: patient, context, in: writer)
    }
  }

  private static func addWeight(_ form: PostedForm) async throws -> Response {
    var input = HealthProfileInput()
    input.kilograms = form.raw(weightField) ?? ""
    input.day = form.raw(dayField) ?? ""
    let (patient, typed, day) = (form.patient, input.kilograms, input.day)
    let source = form.localizer.text("heart-rate.by-hand")
    return try await save(input, "weights", form) { context, writer in
      let zone = try PeopleQueries.zone(patient, zones: context.zones, in: writer)
      try HealthProfileCommands.addWeight(
        typed, on: day, source: source, zone: zone, patient: patient, context, in: writer)
    }
  }

  private static func remove(
    _ parameter: String, _ form: PostedForm,
    _ command: @escaping @Sendable (String, PatientID, CommandContext, any SQLWriter) throws -> Void
  ) async throws -> Response {
    let patient = form.patient
    let id = try form.parameter(parameter)
    // Viewers who may not act have no such form.
    guard form.call.person?.mayAct ?? true else { throw Failure.notFound }
    return try await form.save(thenOpen: "\(Address.healthProfile)?done=removed") {
      context, writer in
      try command(id, patient, context, writer)
    } refused: { (_: HealthProfileError) in
      throw Failure.notFound
    }
  }

  /// Runs a change and returns to its part of the page, or shows the page with the mistake.
  private static func save(
    _ input: HealthProfileInput, _ part: String, _ form: PostedForm,
    _ command: @escaping @Sendable (CommandContext, any SQLWriter) throws -> Void
  ) async throws -> Response {
    try await form.save(thenOpen: "\(Address.healthProfile)?done=saved#\(part)", command) {
      (error: HealthProfileError) in
      var input = input
      input.mistake = .care(error)
      return try await DetailsRoutes.show(.healthProfile, form.call, form.signedIn, care: input)
    }
  }
}

extension HealthProfilePart {
  /// Reads the content of the part and audits the reads.
  static func read(
    of patient: PatientID, input: HealthProfileInput, _ call: Call, _ signedIn: SignedIn
  ) async throws -> HealthProfilePart {
    let environment = call.environment
    let now = call.now
    func searching(_ type: String) throws -> SearchAuthorization {
      switch decideSearch(
        actor: signedIn.actor, resource: type, patient: patient,
        purpose: signedIn.actor.purpose(with: patient))
      {
      case .allow(let authorization): return authorization
      case .deny(let reason): throw reason
      }
    }
    let weighing = try searching("Observation")
    let allergic = try searching("AllergyIntolerance")
    let (weights, allergies, zone, photo) = try await environment.database.read { reader in
      (
        try HealthProfileQueries.weights(
          patient, part: signedIn.actor.observations(of: patient) ?? .measurements, in: reader),
        try HealthProfileQueries.allergies(allergic, in: reader),
        try PeopleQueries.zone(patient, zones: environment.zones, in: reader),
        try PeopleQueries.named([patient], in: reader)[patient]?.photo
      )
    }
    for (authorization, count) in [(weighing, weights.count), (allergic, allergies.count)] {
      try await environment.readAudit.note(
        authorization, patients: [patient], count: max(1, count), at: now,
        in: environment.database)
    }
    return HealthProfilePart(
      weights: weights, allergies: allergies,
      photo: photo.map { PersonInReach.photoAddress(of: patient, photo: $0) }, input: input,
      token: call.formToken, words: DoseFormatter(localizer: call.localizer, zone: zone, now: now))
  }
}
