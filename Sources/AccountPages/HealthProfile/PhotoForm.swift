// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import Identifiers
import Media
import NIOCore
import Observations
import People
import Presentation
import SiteMap
import Storage
import Web

/// Saves, serves and removes the photo of a person.
package enum PhotoForm {
  @Sendable static func save(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorize(.update, "Patient", of: patient)
    let environment = call.environment
    do {
      let bytes = try await file(call)
      let photo: Photo
      do {
        photo = try await environment.photos.photo(reading: bytes)
      } catch let problem as PhotoProblem {
        throw PhotoMistake(problem)
      }
      let (id, now) = (environment.newIdentifier(), call.now)
      try await environment.database.write { writer in
        try PersonPhotos.save(
          photo.bytes, width: photo.width, height: photo.height, of: patient,
          authorization: authorization, id: id, at: now, in: writer)
      }
    } catch let mistake as PhotoMistake {
      var input = HealthProfileInput()
      input.mistake = .photo(mistake)
      return try await DetailsRoutes.show(.healthProfile, call, signedIn, care: input)
    }
    environment.sessions.forget()
    return call.redirect(to: "\(Address.healthProfile)?done=saved#photo")
  }

  @Sendable static func remove(_ form: PostedForm) async throws -> Response {
    let patient = form.patient
    let authorization = try form.authorize(.update, "Patient")
    try await form.run { context, writer in
      try PersonPhotos.remove(
        of: patient, authorization: authorization, at: context.now, in: writer)
    }
    form.call.environment.sessions.forget()
    return form.redirect(to: "\(Address.healthProfile)?done=removed#photo")
  }

  /// Serves the photo to viewers who are allowed to see the person; it is never cached.
  @Sendable static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = try PatientID(call.parameter("patient"))
    let authorization = try call.authorize(.read, "Patient", of: patient)
    let environment = call.environment
    let found = try await environment.database.read { reader in
      try PersonPhotos.photo(of: patient, in: reader)
    }
    guard let photo = found else { throw Failure.notFound }
    try await environment.audit(authorization, count: 1, at: call.now)
    return PhotoResponse.make(photo.bytes)
  }

  private static func file(_ call: Call) async throws -> [UInt8] {
    do {
      return try await ReceivedFile.read(
        call, field: HealthProfileRoutes.photoField, maximum: PhotoReader.maximumFile
      ).bytes
    } catch let problem as ReceivedFile.Problem {
      throw problem == .missing ? PhotoMistake.missing : PhotoMistake.tooLarge
    }
  }
}
