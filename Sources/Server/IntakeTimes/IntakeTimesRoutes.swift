// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Adherence
import Hummingbird
import Scheduling
import Storage

/// The page that proposes fewer times of day, for a person, a guardian, and a practitioner who may prescribe.
package enum IntakeTimesRoutes {
  static let path = "/medicines/times"
  /// The medicines that may get other times; what is not ticked stays.
  static let takeField = "take"
  static let seenField = "seen"
  static let wasName = "was"

  package static let all: [Route] = [
    .page(.get, path, show),
    .page(.post, path, submit),
    .page(.get, CareIntakeTimes.path, CareIntakeTimes.show),
    .page(.post, CareIntakeTimes.path, CareIntakeTimes.submit),
  ]

  private static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let reading = try await read(call, signedIn)
    var page = IntakeTimesPage(
      subject: .own, basis: reading, proposal: IntakePlanner.propose(reading.situation),
      list: call.environment.interactions.list, localizer: call.localizer)
    page.taken = TakenTimes(call.queryValue(wasName), among: reading)
    return page.response(call, signedIn)
  }

  private static func submit(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let form = try await FormBody.read(call)
    try ForgeryGuard.check(form, of: call)
    let patient = call.patient(of: signedIn)
    let basis = try await read(call, signedIn)
    let list = call.environment.interactions.list
    let left = left(form, basis)
    let context = call.environment.commandContext(for: signedIn, now: call.now)
    var page = IntakeTimesPage(
      subject: .own, basis: basis,
      proposal: IntakePlanner.propose(basis.situation.leaving(left)), left: left, list: list,
      localizer: call.localizer)
    if form.isChecked("accept") {
      let seen = form.text(seenField) ?? ""
      do {
        let changes = try await call.environment.database.write { writer in
          try IntakeTimesCommands.takeOver(
            list, leaving: left, digest: seen, patient: patient, context: context, in: writer)
        }
        return call.redirect(to: "\(path)?\(wasName)=\(TakenTimes.text(changes))")
      } catch IntakeError.outdated {
        page.isOutdated = true
      } catch PlanError.versionConflict {
        page.isOutdated = true
      } catch IntakeError.nothing {
        return page.response(call, signedIn)
      }
    }
    if !page.proposal.changes.isEmpty {
      _ = try call.authorize(.read, "Dose", of: patient)
      page.trial = try await IntakeTimesTrial.run(
        of: patient, basis.situation, context: context, in: call.environment.database
      ) { writer in
        _ = try IntakeTimesCommands.takeOver(
          list, leaving: left, digest: nil, patient: patient, context: context, in: writer)
      }
      page.isSeen = true
    }
    return page.response(call, signedIn)
  }

  /// The medicines that were not ticked.
  static func left(_ form: FormBody, _ basis: IntakeBasis) -> Set<String> {
    let ticked = Set(form.all(takeField))
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

/// The times that medicines had before a proposal was taken over, as the address of the page carries them.
struct TakenTimes: Sendable {
  let medicines: [(name: String, minutes: [Int])]

  /// Nil where the address carries none of this person's medicines.
  init?(_ text: String?, among basis: IntakeBasis) {
    let names = Dictionary(
      basis.situation.medicines.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    medicines = (text ?? "").split(separator: "_").compactMap { part in
      let parts = part.split(separator: "~").map(String.init)
      let minutes = parts.dropFirst().compactMap { Int($0) }.filter { (0..<1_440).contains($0) }
      guard let name = parts.first.flatMap({ names[$0] }), !minutes.isEmpty else { return nil }
      return (name, minutes)
    }
    if medicines.isEmpty { return nil }
  }

  static func text(_ changes: [IntakeChange]) -> String {
    changes.map { change in
      ([change.medicine] + change.from.map { String($0) }).joined(separator: "~")
    }.joined(separator: "_")
  }
}
