// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Calendar
import Dosing
import Identifiers
import People
import Plans
import Presentation
import Scheduling
import Storage
import Web

/// A sticker that the viewer may answer by, with what a tap on it prepares.
struct StickerReading: Sendable {
  let sticker: Sticker
  let authorization: Authorization
  let model: StickerModel
  let zone: Zone
  /// The doses that a message about the last answer may name.
  let known: [Dose]
  /// The minutes by which "later" puts all prepared doses off; nil if they can't be put off together.
  let laterMinutes: Int?
  /// True if one of the prepared doses was logged before and taken back.
  let wasUndone: Bool
  /// True for an as-needed medicine, which has its own page.
  let isAsNeeded: Bool

  /// The milliseconds ahead in which the next dose is looked for.
  private static let ahead: Int64 = 8 * 24 * 3_600_000

  /// The maximum number of extra intakes that are looked at, which are the latest.
  private static let mostExtras = 100

  /// Returns the sticker of a secret if the account may answer for its person; nil otherwise.
  static func find(
    _ secret: Secret, for signedIn: SignedIn, in reader: any SQLReader
  ) throws(StorageError) -> (sticker: Sticker, authorization: Authorization)? {
    guard let sticker = try Stickers.sticker(by: secret, in: reader) else { return nil }
    func permission(_ action: Access.Action, _ resource: String) -> Authorization? {
      let decision = decide(
        actor: signedIn.actor, action: action, patient: sticker.patient, resource: resource,
        purpose: .care)
      guard case .allow(let authorization) = decision else { return nil }
      return authorization
    }
    guard permission(.create, "MedicationAdministration") != nil,
      let authorization = permission(.read, "Dose")
    else { return nil }
    return (sticker, authorization)
  }

  /// Reads a sticker's page; nil for an unknown or revoked sticker, and for one of another person.
  static func read(_ secret: Secret, _ call: Call, _ signedIn: SignedIn) async throws
    -> StickerReading?
  {
    let (environment, now, note) = (call.environment, call.now, DoneNote(call))
    return try await environment.database.read { reader -> StickerReading? in
      guard let (sticker, authorization) = try find(secret, for: signedIn, in: reader) else {
        return nil
      }
      let snapshot = PatientSnapshot(
        of: sticker.patient, now: now, zones: environment.zones, in: reader)
      let listing = try DoseQueries.listing(
        of: snapshot, from: now.adding(milliseconds: -TodayModel.reach),
        until: now.adding(milliseconds: ahead))
      let model = StickerModel(
        sticker, doses: listing.doses,
        extras: try IntakeQueries.extras(
          of: snapshot, from: now.adding(milliseconds: -StickerModel.warned),
          until: now.adding(milliseconds: 1), most: mostExtras
        ).intakes,
        review: try ProposalReading(of: snapshot).plansForReview, zone: listing.zone, now: now)
      return StickerReading(
        sticker: sticker, authorization: authorization, model: model, zone: listing.zone,
        known: try note?.read(
          sticker.patient, listed: listing.doses, now: now, in: reader) ?? [],
        laterMinutes: try laterMinutes(model.due, snapshot),
        wasUndone: try wasUndone(model.due, of: sticker.patient, in: reader),
        isAsNeeded: listing.unplanned.contains {
          $0.plan == sticker.plan && $0.reason == .asNeeded
        })
    }
  }

  private static func laterMinutes(_ doses: [Dose], _ patient: PatientSnapshot) throws -> Int? {
    if doses.isEmpty { return nil }
    if try LaterChoices.asksWhy(anyOf: doses, of: patient) { return nil }
    var common: Set<Int>?
    for dose in doses {
      let gap = try AnswerQueries.minimumGap(of: dose.plan, patient: patient)
      let choices = Set(LaterChoices.minutes(for: dose, minimumGap: gap, now: patient.now))
      common = common.map { $0.intersection(choices) } ?? choices
    }
    return common?.min()
  }

  private static func wasUndone(
    _ doses: [Dose], of patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    // A row in its first version has no answer.
    for dose in doses where dose.version > 1 {
      let story = try AnswerQueries.story(of: dose.id, patient: patient, in: reader)
      if story.last?.action == .undo { return true }
    }
    return false
  }
}
