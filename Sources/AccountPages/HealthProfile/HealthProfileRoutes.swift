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
import Storage
import Web

/// Allergies, weights and the photo of a person: small forms on the page of the details.
package enum HealthProfileRoutes {
  package static let all: [Route] = [
    .page(.post, allergiesPath, addAllergy),
    .page(.post, "\(allergiesPath)/:allergy/remove") { call, signedIn in
      try await remove("allergy", call, signedIn, HealthProfileCommands.removeAllergy)
    },
    .page(.post, weightsPath, addWeight),
    .page(.post, "\(weightsPath)/:weight/remove") { call, signedIn in
      try await remove("weight", call, signedIn, HealthProfileCommands.removeWeight)
    },
    .page(.post, photoPath, PhotoForm.save).takingFile(upTo: PhotoReader.maximumFile),
    .page(.post, "\(photoPath)/remove", PhotoForm.remove),
    .page(.get, "\(PersonInReach.photosPath)/:patient", PhotoForm.show),
  ]

  static let allergiesPath = "/details/allergies"
  static let weightsPath = "/details/weights"
  static let photoPath = "/details/photo"
  static let allergyField = "allergy"
  static let weightField = "weight"
  static let dayField = "day"
  static let photoField = "photo"

  private static func addAllergy(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let form = try await FormBody.read(call)
    try ForgeryGuard.check(form, of: call)
    var input = HealthProfileInput()
    input.allergy = form.raw(allergyField) ?? ""
    input.reaction = form.raw("reaction") ?? ""
    let (patient, name, reaction) = (call.patient(of: signedIn), input.allergy, input.reaction)
    let context = call.environment.commandContext(for: signedIn, now: call.now)
    return try await change(input, "allergies", call, signedIn) { writer in
      try HealthProfileCommands.addAllergy(
        name, reaction: reaction, patient: patient, context, in: writer)
    }
  }

  private static func addWeight(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let form = try await FormBody.read(call)
    try ForgeryGuard.check(form, of: call)
    var input = HealthProfileInput()
    input.kilograms = form.raw(weightField) ?? ""
    input.day = form.raw(dayField) ?? ""
    let (patient, typed, day) = (call.patient(of: signedIn), input.kilograms, input.day)
    let environment = call.environment
    let context = environment.commandContext(for: signedIn, now: call.now)
    let source = call.localizer.text("heart-rate.by-hand")
    return try await change(input, "weights", call, signedIn) { writer in
      let zone = try PeopleQueries.zone(patient, zones: environment.zones, in: writer)
      try HealthProfileCommands.addWeight(
        typed, on: day, source: source, zone: zone, patient: patient, context, in: writer)
    }
  }

  private static func remove(
    _ parameter: String, _ call: Call, _ signedIn: SignedIn,
    _ command: @escaping @Sendable (String, PatientID, CommandContext, any SQLWriter) throws -> Void
  ) async throws -> Response {
    let form = try await FormBody.read(call)
    try ForgeryGuard.check(form, of: call)
    let patient = call.patient(of: signedIn)
    let id = try call.parameter(parameter)
    // Who only looks has no such form.
    guard call.person?.mayAct ?? true else { throw Failure.notFound }
    let context = call.environment.commandContext(for: signedIn, now: call.now)
    do {
      try await call.environment.database.write { writer in
        try command(id, patient, context, writer)
      }
    } catch is HealthProfileError {
      throw Failure.notFound
    }
    return call.redirect(to: "/details?done=removed")
  }

  /// Runs a change and leads back to its part of the page, or shows the page with what is wrong.
  static func change(
    _ input: HealthProfileInput, _ part: String, _ call: Call, _ signedIn: SignedIn,
    _ work: @escaping @Sendable (any SQLWriter) throws -> Void
  ) async throws -> Response {
    do {
      try await call.environment.database.write { writer in try work(writer) }
    } catch let error as HealthProfileError {
      var input = input
      input.mistake = .care(error)
      return try await DetailsRoutes.show(call, signedIn, care: input)
    }
    return call.redirect(to: "/details?done=saved#\(part)")
  }
}

extension HealthProfilePart {
  /// Reads what the part shows, and puts the look on record.
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
        try HealthProfileQueries.weights(patient, in: reader),
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
