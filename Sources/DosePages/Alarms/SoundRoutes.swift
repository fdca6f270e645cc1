// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTTPTypes
import Hummingbird
import Media
import NIOCore
import Presentation
import Reminders
import Storage
import Web

/// A person's sounds: listening, choosing, uploading and removing.
package enum SoundRoutes {
  /// The routes of the sounds.
  package static let all: [Route] = [
    .page(.get, path, page),
    .form(path, choose),
    .page(.post, filePath, bring).takingFile(upTo: maximumFile),
    .page(.get, "\(path)/:sound", content),
    .form("\(path)/:sound/remove", remove),
  ]

  static let path = "/alarms/sounds"
  /// The address that the form with a file posts to.
  static let filePath = "/alarms/sounds/file"
  static let field = "file"
  /// The largest file, in bytes: half a minute in studio quality.
  static let maximumFile = 12 * 1024 * 1024

  private static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await read(call, signedIn).response(call)
  }

  /// Chooses the sound for medicine reminders.
  private static func choose(_ form: PostedForm) async throws -> Response {
    _ = try form.authorize(.update, "Alarm")
    let chosen = form.text("sound") ?? ""
    let (patient, account, now) = (form.patient, form.signedIn.account.id, form.call.now)
    try await form.run { _, writer in
      let own = try OwnSounds.names(of: patient, in: writer)
      guard AlarmSound(rawValue: chosen) != nil || own[chosen] != nil else {
        throw Failure.badRequest("value", "sound must be one of the listed sounds.")
      }
      var choices = try ReminderChoices.of(patient, in: writer)
      choices.sound = chosen
      try choices.keep(of: patient, by: account, at: now, in: writer)
    }
    return form.redirect(to: "\(path)?done=saved")
  }

  private static func bring(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    _ = try call.authorize(.update, "Alarm", of: patient)
    let environment = call.environment
    var problem: SoundsPage.Mistake?
    do {
      let (bytes, fields) = try await ReceivedFile.read(
        call, field: field, maximum: maximumFile, names: ["name"])
      let name = TypedText.trimmed(fields.text("name") ?? "")
      let isPlain = name.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 }
      guard (1...OwnSounds.longestName).contains(name.unicodeScalars.count), isPlain else {
        throw SoundsPage.Mistake.name
      }
      let sound = try await environment.photos.sound(reading: bytes)
      let stored = OwnSounds.Stored(
        id: environment.newIdentifier(), name: name, milliseconds: sound.milliseconds)
      let (account, now) = (signedIn.account.id, call.now)
      let isKept = try await environment.database.write { writer in
        try OwnSounds.keep(
          stored, content: sound.wave, of: patient, by: account, at: now, in: writer)
      }
      if isKept { return call.redirect(to: "\(path)?done=saved") }
      problem = .tooMany
    } catch let mistake as SoundsPage.Mistake {
      problem = mistake
    } catch let unread as ReceivedFile.Problem {
      problem = unread == .missing ? .missing : .tooLarge
    } catch let unfit as SoundProblem {
      problem = .sound(unfit)
    }
    var page = try await read(call, signedIn)
    page.mistake = problem
    return page.response(call)
  }

  /// Serves the file as this program encoded it; it is never cached, since it may hold someone's
  /// voice.
  private static func content(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    _ = try call.authorize(.read, "Alarm", of: patient)
    let sound = try call.parameter("sound")
    let found = try await call.environment.database.read { reader in
      try OwnSounds.content(of: sound, patient: patient, in: reader)
    }
    guard let bytes = found else { throw Failure.notFound }
    return Response(
      status: .ok,
      headers: [
        .contentType: Sound.mediaType, .cacheControl: "no-store",
        .contentDisposition: "attachment",
      ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  private static func remove(_ form: PostedForm) async throws -> Response {
    _ = try form.authorize(.update, "Alarm")
    let sound = try form.parameter("sound")
    let (patient, account, now) = (form.patient, form.signedIn.account.id, form.call.now)
    try await form.run { _, writer in
      guard try OwnSounds.names(of: patient, in: writer)[sound] != nil else {
        throw Failure.notFound
      }
      try OwnSounds.remove(sound, of: patient, by: account, at: now, in: writer)
    }
    return form.redirect(to: "\(path)?done=removed")
  }

  // MARK: Steps

  private static func read(_ call: Call, _ signedIn: SignedIn) async throws -> SoundsPage {
    let patient = call.patient(of: signedIn)
    _ = try call.authorize(.read, "Alarm", of: patient)
    return try await call.environment.database.read { reader in
      SoundsPage(
        own: try OwnSounds.all(of: patient, in: reader),
        chosen: try ReminderChoices.of(patient, in: reader).sound)
    }
  }
}
