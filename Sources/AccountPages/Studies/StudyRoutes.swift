// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import NIOCore
import People
import Presentation
import Scheduling
import SiteMap
import Storage
import Studies
import Web

/// The studies: the list, joining with a signed consent, what is shared, a copy of the consent, and withdrawing.
package enum StudyRoutes {
  /// The routes of the studies.
  package static let all: [Route] = [
    .page(.get, Address.studies, list),
    .page(.get, "\(Address.studies)/:study", show),
    .page(.get, "\(Address.studies)/:study/join", ask).after(.recent),
    .form("\(Address.studies)/:study/join", join).after(.recent, from: Address.studies),
    .page(.get, "\(Address.studies)/:study/consent.pdf", paper),
    .form("\(Address.studies)/:study/withdraw", withdraw),
  ]

  private static let resource = StudyCommands.resource

  private static func list(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorize(.read, resource, of: patient)
    let page = try await call.environment.database.read { reader in
      let participations = try StudyQueries.participations(of: patient, in: reader)
      let joined = Set(participations.map(\.study))
      let rows = try StudyQueries.all(in: reader).filter {
        $0.closed == nil || joined.contains($0.study)
      }
      return StudyListPage(
        studies: try rows.map { row in
          let own = participations.first { $0.study == row.study }
          return StudyListPage.Item(
            definition: try StudyQueries.definition(
              of: row.study, version: own?.version ?? row.version, in: reader),
            participation: own)
        })
    }
    try await call.environment.audit(authorization, count: page.studies.count, at: call.now)
    return page.response(call)
  }

  private static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorize(.read, resource, of: patient)
    let page = try await reading(call, patient)
    try await call.environment.audit(authorization, count: 1, at: call.now)
    return page.response(call)
  }

  private static func reading(_ call: Call, _ patient: PatientID) async throws -> StudyDetailPage {
    let id = StudyID(try call.parameter("study"))
    let zones = call.environment.zones
    return try await call.environment.database.read { reader in
      guard let row = try StudyQueries.study(id, in: reader) else { throw Failure.notFound }
      let own = try StudyQueries.participant(patient, in: id, reader: reader)
      guard own != nil || row.closed == nil else { throw Failure.notFound }
      return StudyDetailPage(
        definition: try StudyQueries.definition(
          of: id, version: own?.version ?? row.version, in: reader),
        participation: own,
        exports: try own.map {
          try StudyQueries.exports(of: id, since: $0.joined, in: reader)
        } ?? [],
        zone: try PeopleQueries.zone(patient, zones: zones, in: reader))
    }
  }

  // MARK: Joining

  private static func ask(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    _ = try call.authorize(.create, resource, of: patient)
    return try await form(call, patient).response(call)
  }

  /// Reads the page on which a person reads, answers and signs.
  private static func form(_ call: Call, _ patient: PatientID) async throws -> StudyJoinPage {
    let id = StudyID(try call.parameter("study"))
    let (zones, now) = (call.environment.zones, call.now)
    return try await call.environment.database.read { reader in
      guard let row = try StudyQueries.study(id, in: reader), row.closed == nil else {
        throw Failure.notFound
      }
      guard try StudyQueries.participant(patient, in: id, reader: reader) == nil else {
        throw StudyError.alreadyJoined
      }
      return StudyJoinPage(
        definition: try StudyQueries.definition(of: id, version: row.version, in: reader),
        candidate: try StudyCandidate.read(patient, zones: zones, at: now, in: reader))
    }
  }

  private static func join(_ form: PostedForm) async throws -> Response {
    _ = try form.authorize(.create, resource)
    let (call, patient) = (form.call, form.patient)
    var page = try await Self.form(call, patient)
    let input = StudyJoinPage.Input(form.fields, page.definition)
    page.input = input
    let request = StudyCommands.Request(
      version: form.text("version").flatMap { Int($0) } ?? 0, language: call.language,
      answers: input.answers, understanding: input.understanding, name: input.name)
    let (study, candidate) = (page.definition.id, page.candidate)
    let commands = StudyCommands(accounts: call.environment.accounts)
    do {
      try await form.run { context, writer in
        _ = try commands.join(
          study, patient, request, candidate: candidate, context, in: writer)
      }
    } catch let error as StudyError {
      switch error {
      case .notEligible, .misunderstood, .signature, .oldConsent:
        page.error = error
        return page.response(call)
      default: throw error
      }
    }
    return form.redirect(to: "\(Address.studies)/\(study)?done=joined")
  }

  private static func withdraw(_ form: PostedForm) async throws -> Response {
    _ = try form.authorize(.delete, resource)
    let patient = form.patient
    let study = StudyID(try form.parameter("study"))
    let commands = StudyCommands(accounts: form.call.environment.accounts)
    let isErasing = form.text("data") == "delete"
    try await form.run { context, writer in
      try commands.withdraw(patient, from: study, erasing: isErasing, context, in: writer)
    }
    return form.redirect(to: "\(Address.studies)/\(study)?done=withdrawn")
  }

  // MARK: A copy of the consent

  private static func paper(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorize(.read, resource, of: patient)
    let id = StudyID(try call.parameter("study"))
    let zones = call.environment.zones
    let (localizer, now) = (call.localizer, call.now)
    let paper = try await call.environment.database.read { reader in
      guard let signature = try StudyQueries.signature(of: patient, to: id, in: reader) else {
        throw Failure.notFound
      }
      return StudyConsentPaper(
        definition: try StudyQueries.definition(
          of: id, version: signature.version, in: reader),
        signature: signature,
        words: DoseFormatter(
          localizer: localizer, zone: try PeopleQueries.zone(patient, zones: zones, in: reader),
          now: now))
    }
    try await call.environment.audit(authorization, count: 1, at: now)
    let bytes = try await offThePool { try paper.bytes() }
    let name = "consent.pdf"  // not a message
    return HistoryExport.file(name, mediaType: "application/pdf") { sink in
      try await sink.write(ByteBuffer(bytes: bytes))
    }
  }
}
