// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Diary
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Media
import Observations
import People
import Presentation
import Scheduling
import SiteMap
import Storage
import Web

/// The page of one entry: correct it, add photos, delete it.
enum DiaryEntryRoutes {
  static let all: [Route] = [
    .page(.get, "\(path)/:entry", page),
    .form("\(path)/:entry", change),
    .form("\(path)/:entry/remove", remove),
    .page(.post, "\(path)/:entry/photos", addPhoto).takingFile(upTo: PhotoReader.maximumFile),
    .page(.get, "\(path)/:entry/photos/:photo", photo),
  ]

  private static let path = "\(Address.diary)/entries"

  static func address(of entry: String) -> String { "\(path)/\(entry)" }

  /// The data for the pages and forms of an entry.
  private struct Found: Sendable {
    let entry: DiaryEntry
    let tracker: Tracker
    let photos: [String]
    let zone: Zone
  }

  /// Returns the entry that the address names.
  ///
  /// - Throws: "Not found" for an entry that the person does not have, and for one that the account may not see.
  private static func found(_ call: Call, _ patient: PatientID) async throws -> Found {
    let authorization = try call.authorize(.read, VitalCommands.resource, of: patient, part: .diary)
    let id = try call.parameter("entry")
    let zones = call.environment.zones
    let found = try await call.environment.database.read { reader in
      guard let (entry, tracker) = try DiaryQueries.entry(id, authorization, in: reader) else {
        throw Failure.notFound
      }
      return Found(
        entry: entry, tracker: tracker,
        photos: try DiaryPhotos.list(ofEntry: id, patient, in: reader),
        zone: try PeopleQueries.zone(patient, zones: zones, in: reader))
    }
    try await call.environment.audit(authorization, count: 1, at: call.now)
    return found
  }

  private static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let found = try await found(call, call.patient(of: signedIn))
    return response(call, found, input: DiaryInput(found.entry, zone: found.zone))
  }

  private static func response(
    _ call: Call, _ found: Found, input: DiaryInput, mistake: DiaryError? = nil,
    photoMistake: PhotoMistake? = nil
  ) -> Response {
    let words = DiaryFormatter(
      clock: MedicineClock(zone: found.zone, localizer: call.localizer))
    return DiaryEntryPage(
      entry: found.entry, tracker: found.tracker, photos: found.photos, words: words,
      input: input, mistake: mistake, photoMistake: photoMistake,
      today: words.clock.day(of: call.now)
    ).response(call)
  }

  private static func change(_ form: PostedForm) async throws -> Response {
    let patient = form.patient
    let found = try await found(form.call, patient)
    _ = try form.authorize(.update, VitalCommands.resource, part: .diary)
    let input = DiaryInput(form)
    let source = form.localizer.text("heart-rate.by-hand")
    do {
      let draft = try input.draft(
        for: found.tracker, zone: found.zone, now: form.call.now, known: found.entry.draft.at)
      let id = found.entry.id
      try await form.run { context, writer in
        _ = try DiaryCommands(patient: patient, context: context, source: source)
          .change(id, to: draft, in: writer)
      }
    } catch let mistake as DiaryError {
      return response(form.call, found, input: input, mistake: mistake)
    }
    return form.redirect(to: "\(DiaryRoutes.address(of: found.tracker.id))?done=changed")
  }

  private static func remove(_ form: PostedForm) async throws -> Response {
    let patient = form.patient
    let found = try await found(form.call, patient)
    _ = try form.authorize(.delete, VitalCommands.resource, part: .diary)
    let (id, source) = (found.entry.id, form.localizer.text("heart-rate.by-hand"))
    try await form.run { context, writer in
      try DiaryCommands(patient: patient, context: context, source: source)
        .remove(id, in: writer)
    }
    return form.redirect(to: "\(DiaryRoutes.address(of: found.tracker.id))?done=removed")
  }

  // MARK: Photos

  private static func addPhoto(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    _ = try call.authorize(.read, VitalCommands.resource, of: patient, part: .diary)
    // The form is checked for forgery before anything else.
    let received = try await received(call)
    let found = try await found(call, patient)
    let authorization = try call.authorize(
      .update, VitalCommands.resource, of: patient, part: .diary)
    let environment = call.environment
    let input = DiaryInput(found.entry, zone: found.zone)
    do {
      let photo = try await decoded(try received.get(), call)
      let (id, entry, now) = (environment.newIdentifier(), found.entry.id, call.now)
      let cipher = environment.accounts.cipher
      try await environment.database.write { writer in
        try DiaryPhotos.add(
          photo.bytes, width: photo.width, height: photo.height, toEntry: entry, id: id,
          authorization: authorization, cipher: cipher, at: now, in: writer)
      }
    } catch let mistake as PhotoMistake {
      return response(call, found, input: input, photoMistake: mistake)
    } catch let mistake as DiaryError {
      return response(call, found, input: input, mistake: mistake)
    }
    return call.redirect(to: "\(address(of: found.entry.id))?done=photo")
  }

  private static func received(_ call: Call) async throws -> Result<[UInt8], PhotoMistake> {
    do {
      return .success(
        try await ReceivedFile.read(call, field: "photo", maximum: PhotoReader.maximumFile).bytes)
    } catch let problem as ReceivedFile.Problem {
      return .failure(problem == .missing ? .missing : .tooLarge)
    }
  }

  private static func decoded(_ bytes: [UInt8], _ call: Call) async throws -> Photo {
    do {
      return try await call.environment.photos.photo(reading: bytes)
    } catch let problem as PhotoProblem {
      throw PhotoMistake(problem)
    }
  }

  /// Serves a photo to viewers who may see the entry; it is never cached.
  private static func photo(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let found = try await found(call, patient)
    let id = try call.parameter("photo")
    guard found.photos.contains(id) else { throw Failure.notFound }
    let cipher = call.environment.accounts.cipher
    let bytes = try await call.environment.database.read {
      try DiaryPhotos.photo(id, patient, cipher: cipher, in: $0)
    }
    guard let bytes else { throw Failure.notFound }
    return PhotoResponse.make(bytes)
  }
}
