// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import FHIR
import HomeAutomation
import Hummingbird
import Identifiers
import Localization
import Plans
import Presentation
import Statistics
import Storage
import Web

/// `POST /api/v1/voice`: sentences for voice assistants.
///
/// Logging takes two steps: what would be logged is read back, and only a confirmation logs it.
package enum VoiceAPI {
  /// The route of the intents.
  package static let all: [Route] = [.api(.post, "/api/v1/voice", answer)]

  enum Intent: String, CaseIterable {
    case status, take, confirm
  }

  /// The words that were spoken, and the choices for the answer.
  private struct Spoken {
    let intent: Intent
    let part: DayPart?
    let confirmation: Secret?
    let text: VoiceText

    init(_ body: JSONBody, _ language: Language) throws {
      guard let intent = Intent(rawValue: try body.required("intent")) else {
        let known = Intent.allCases.map(\.rawValue).joined(separator: ", ")
        throw Failure.unprocessable("value", "intent must be one of \(known).")
      }
      self.intent = intent
      part = try body.text("part").map { name in
        guard let part = DayPart(rawValue: name) else {
          let known = DayPart.allCases.map(\.rawValue).joined(separator: ", ")
          throw Failure.unprocessable("value", "part must be one of \(known).")
        }
        return part
      }
      let named = try body.text("language").map { code in
        guard let language = Language(rawValue: code) else {
          let known = Language.allCases.map(\.rawValue).joined(separator: ", ")
          throw Failure.unprocessable("value", "language must be one of \(known).")
        }
        return language
      }
      confirmation =
        intent == .confirm ? Secret(text: try body.required("confirmation")) : nil
      text = VoiceText(
        localizer: .of(named ?? language), namesMedicine: try body.flag("names") ?? false)
    }
  }

  private static func answer(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let bytes = try await BodyReader.jsonBytes(of: call, mediaTypes: ["application/json"])
    let spoken = try Spoken(JSONBody(parsing: bytes), call.localizer.language)
    let patient = try PatientChoice.patient(of: call, signedIn)
    let right = try call.authorize(.read, "Dose", of: patient)
    let json: JSONValue
    switch spoken.intent {
    case .status:
      let day = try await call.environment.database.read { reader in
        try read(patient, spoken, call, in: reader)
      }
      json = [
        "speech": .string(spoken.text.status(day)), "open": .number(JSONNumber(day.due.count)),
      ]
    case .take: json = try await readBack(patient, spoken, call, signedIn)
    case .confirm: json = try await confirm(patient, spoken, call, signedIn)
    }
    try await call.environment.audit(right, count: 1, at: call.now)
    return JSONResponse.make(json)
  }

  private static func read(
    _ patient: PatientID, _ spoken: Spoken, _ call: Call, in reader: any SQLReader
  ) throws -> VoiceDay {
    let today = try DoseQueries.today(
      patient: patient, limits: TodayLimits(), now: call.now, zones: call.environment.zones,
      in: reader)
    return VoiceDay(
      today, part: spoken.part, now: call.now, localizer: spoken.text.localizer)
  }

  /// Reads back the due doses, and keeps the question for the yes.
  private static func readBack(
    _ patient: PatientID, _ spoken: Spoken, _ call: Call, _ signedIn: SignedIn
  ) async throws -> JSONValue {
    _ = try call.authorize(.create, AdministrationResource.type, of: patient)
    let secret = Secret(prefix: VoiceQuestions.prefix, random: call.environment.random)
    let (account, now) = (signedIn.account.id, call.now)
    let (day, ends) = try await call.environment.database.write {
      writer -> (VoiceDay, Timestamp?) in
      let day = try read(patient, spoken, call, in: writer)
      if day.due.isEmpty { return (day, nil) }
      return (
        day,
        try VoiceQuestions.ask(
          secret, about: day.due, of: patient, account: account, at: now, in: writer)
      )
    }
    guard let ends else {
      return [
        "speech": .string(day.due.isEmpty ? spoken.text.readBack(day) : spoken.text.asks),
        "open": .number(JSONNumber(day.due.count)),
      ]
    }
    return [
      "speech": .string(spoken.text.readBack(day)), "open": .number(JSONNumber(day.due.count)),
      "confirmation": .string(secret.text),
      "expires": .string(
        FHIRDateTime.instantText(milliseconds: ends.milliseconds, offsetMinutes: 0)),
    ]
  }

  /// Logs the doses of a question, if all of them still wait as they were read back.
  private static func confirm(
    _ patient: PatientID, _ spoken: Spoken, _ call: Call, _ signedIn: SignedIn
  ) async throws -> JSONValue {
    _ = try call.authorize(.create, AdministrationResource.type, of: patient)
    let environment = call.environment
    let (account, now) = (signedIn.account, call.now)
    let byName = spoken.text.localizer.text(
      "voice.answered-by", ["name": .text(account.displayName)])
    let context = environment.commandContext(for: signedIn.actor, byName: byName, now: now)
    let secret = spoken.confirmation ?? Secret(text: "")
    do {
      let logged = try await environment.database.write { writer -> Int? in
        guard
          let keys = try VoiceQuestions.take(
            secret, of: patient, account: account.id, at: now, in: writer)
        else { return nil }
        let due = try read(patient, spoken, call, in: writer).due.filter { keys.contains($0.key) }
        guard due.count == keys.count else { return nil }
        return try DueAnswers(.taken, to: due.map(\.id)).record(
          of: patient, context: context, in: writer)
      }
      guard let logged else { return said(spoken.text.over, logged: 0) }
      return said(spoken.text.logged(logged), logged: logged)
    } catch AnswerError.confirm {
      return said(spoken.text.asks, logged: 0)
    }
  }

  private static func said(_ speech: String, logged: Int) -> JSONValue {
    ["speech": .string(speech), "logged": .number(JSONNumber(logged))]
  }
}
