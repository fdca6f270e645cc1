// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Encodings
import Hummingbird
import Identifiers
import Plans
import Prescriptions
import Presentation
import Scheduling
import SiteMap
import Storage
import Web

/// The page that proposes fewer times of day, for patients, guardians, and practitioners who may prescribe.
package enum SimplificationRoutes {
  /// The field of medicines that may get other times; those not ticked stay unchanged.
  static let takeField = "take"
  static let seenField = "seen"
  static let wasName = "was"

  /// The page and its form, each for one's own medicines and for a patient under care.
  package static let all: [Route] = [
    .page(.get, Address.simplification, show),
    .form(Address.simplification, submit),
    .page(.get, CareTeamSimplification.path, CareTeamSimplification.show),
    .page(.post, CareTeamSimplification.path, CareTeamSimplification.submit),
  ]

  private static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let reading = try await read(call, signedIn)
    var page = SimplificationPage(
      subject: .own, basis: reading, proposal: SimplificationPlanner.propose(reading.situation),
      list: call.environment.interactions.list, localizer: call.localizer)
    page.taken = TakenTimes(
      call.queryValue(wasName), among: reading, credential: signedIn.credential)
    return page.response(call, signedIn)
  }

  private static func submit(_ form: PostedForm) async throws -> Response {
    let (call, signedIn, patient) = (form.call, form.signedIn, form.patient)
    let list = call.environment.interactions.list
    var page = try await page(form)
    if form.isChecked("accept") {
      let seen = form.text(seenField) ?? ""
      let planned = page.planned
      do {
        let changes = try await form.run { context, writer in
          try SimplificationCommands.takeOver(
            planned, list, digest: seen, patient: patient, context: context, in: writer)
        }
        let was = TakenTimes.text(changes, credential: signedIn.credential)
        return form.redirect(to: "\(Address.simplification)?\(wasName)=\(was)")
      } catch IntakeError.outdated {
        page = try await self.page(form)
        page.isOutdated = true
      } catch PlanError.versionConflict {
        page = try await self.page(form)
        page.isOutdated = true
      } catch IntakeError.nothing {
        return page.response(call, signedIn)
      }
    }
    if !page.proposal.changes.isEmpty {
      _ = try form.authorize(.read, "Dose")
      let (planned, context) = (page.planned, form.context)
      do {
        page.trial = try await SimplificationTrial.run(
          of: patient, planned.basis.situation, context: context, in: call.environment.database
        ) { writer in
          _ = try SimplificationCommands.takeOver(
            planned, list, digest: nil, patient: patient, context: context, in: writer)
        }
        page.isSeen = true
      } catch IntakeError.outdated {
        page = try await self.page(form)
        page.isOutdated = true
      }
    }
    return page.response(call, signedIn)
  }

  /// Returns the proposal for the ticked medicines.
  ///
  /// It is computed outside of transactions, so that it blocks no one.
  private static func page(_ form: PostedForm) async throws -> SimplificationPage {
    let basis = try await read(form.call, form.signedIn)
    let left = left(form.fields, basis)
    return SimplificationPage(
      subject: .own, basis: basis,
      proposal: SimplificationPlanner.propose(basis.situation.leaving(left)), left: left,
      list: form.call.environment.interactions.list, localizer: form.localizer)
  }

  /// Returns the medicines that were not ticked.
  static func left(_ form: FormBody, _ basis: IntakeBasis) -> Set<PlanID> {
    let ticked = Set(form.all(takeField).map(PlanID.init))
    return Set(basis.situation.medicines.map(\.id)).subtracting(ticked)
  }

  private static func read(_ call: Call, _ signedIn: SignedIn) async throws -> IntakeBasis {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorize(.search, "MedicationRequest", of: patient)
    _ = try call.authorize(.update, "MedicationRequest", of: patient)
    let environment = call.environment
    let now = call.now
    let basis = try await environment.database.read { reader in
      try IntakeReading.read(
        environment.interactions.list, patient: patient, now: now, zones: environment.zones,
        in: reader)
    }
    try await environment.audit(
      authorization, count: basis.situation.medicines.count, at: now)
    return basis
  }
}

/// The times before a proposal was applied, carried in the page's address; they are signed, so that
/// they can't be forged.
struct TakenTimes: Sendable {
  let medicines: [(name: String, minutes: [Int])]

  /// Reads them from the address; nil if it contains none of this person's medicines.
  init?(_ text: String?, among basis: IntakeBasis, credential: SessionID) {
    let sealed = (text ?? "").split(separator: "!", omittingEmptySubsequences: false)
      .map(String.init)
    guard sealed.count == 2, sealed[1] == Self.seal(sealed[0], credential) else { return nil }
    let names = Dictionary(
      basis.situation.medicines.map { ($0.id.text, $0.name) },
      uniquingKeysWith: { first, _ in first })
    medicines = sealed[0].split(separator: "_").compactMap { part in
      let parts = part.split(separator: "~").map(String.init)
      let minutes = parts.dropFirst().compactMap { Int($0) }.filter { (0..<1_440).contains($0) }
      guard let name = parts.first.flatMap({ names[$0] }), !minutes.isEmpty else { return nil }
      return (name, minutes)
    }
    if medicines.isEmpty { return nil }
  }

  static func text(_ changes: [IntakeChange], credential: SessionID) -> String {
    let text = changes.map { change in
      ([change.medicine.text] + change.from.map { String($0) }).joined(separator: "~")
    }.joined(separator: "_")
    return "\(text)!\(seal(text, credential))"
  }

  private static func seal(_ text: String, _ credential: SessionID) -> String {
    let code = Fingerprint.code(
      for: Array(text.utf8), key: Array("taken-times:\(credential)".utf8))
    return Base64URL.encode(Array(code.prefix(12)))
  }
}
