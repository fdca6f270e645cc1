// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Hummingbird
import Identifiers
import Localization
import People
import Plans
import Prescriptions
import Presentation
import SiteMap
import Storage
import Supply
import Web

/// The review of an uploaded file: its prescriptions, and the decisions about them.
package enum ImportReview {
  /// The most prescriptions shown one by one; the others can only be accepted together.
  static let mostShown = 50

  /// A person's file, without other people's entries.
  struct Content: Sendable {
    let upload: String
    let name: String
    let file: ImportFile
    let subjects: [ImportSubject]
  }

  @Sendable static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorize(.create, "MedicationRequest", of: patient)
    let content = try await content(call, patient)
    let environment = call.environment
    let localizer = call.localizer
    let (zone, checks) = try await environment.database.read { reader in
      let zone = try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
      let checker = call.medicineChecker(patient: patient, actor: signedIn.actor, zone: zone)
      return (
        zone,
        try ImportChecks(
          content.file.prescriptions, patient: patient, checker: checker, in: reader)
      )
    }
    let clock = MedicineClock(zone: zone, localizer: localizer)
    let context = environment.commandContext(for: signedIn, now: call.now)
    var previews: [ImportPreview] = []
    for prescription in content.file.prescriptions.prefix(mostShown) {
      var preview = try await ImportPreview.make(
        prescription, patient: patient, clock: clock, context: context,
        in: environment.database)
      preview.check = checks.checks[prescription.number]
      previews.append(preview)
    }
    try await environment.audit(authorization, count: previews.count, at: call.now)
    return ImportReviewPage(
      content: content, previews: previews, checks: checks,
      list: environment.interactions.list, clock: clock, now: call.now,
      done: call.queryValue("done")
    ).response(call)
  }

  static func decide(_ form: PostedForm) async throws -> Response {
    let patient = form.patient
    _ = try form.authorize(.create, "MedicationRequest")
    let content = try await content(form.call, patient)
    let uploads = ImportUploads(database: form.call.environment.database, patient: patient)
    var file = content.file
    let address = "\(Address.medicineImport)/\(content.upload)"
    if let number = form.text("entry").flatMap({ Int($0) }) {
      guard let one = file.prescriptions.first(where: { $0.number == number }) else {
        throw Failure.notFound
      }
      file.prescriptions = [one]
      file.administrations = []
      file.dispenses = []
      file.measurements = []
    }
    switch form.text("action") {
    case "accept":
      try await run(file, content.name, accept: true, form)
      try await answerSupply(of: file.prescriptions, form)
      return form.redirect(to: "\(address)?done=accepted")
    case "decline":
      try await decline(file.prescriptions, content.name, form)
      return form.redirect(to: "\(address)?done=declined")
    case "accept-all":
      try await run(content.file, content.name, accept: true, form)
      try await uploads.remove(content.upload)
      return form.redirect(to: "/medicines?done=accepted")
    case "keep":
      try await run(content.file, content.name, accept: false, form)
      try await uploads.remove(content.upload)
      return form.redirect(to: "/")
    case "discard":
      try await uploads.remove(content.upload)
      return form.redirect(to: "/medicines")
    default:
      throw Failure.unprocessable("value", "The form must name a known action.")
    }
  }

  private static func content(_ call: Call, _ patient: PatientID) async throws -> Content {
    let id = try call.parameter("upload")
    let database = call.environment.database
    guard let found = try await ImportUploads(database: database, patient: patient).file(id) else {
      throw Failure.notFound
    }
    let matching = try await database.read { try ImportMatcher.load(patient, in: $0) }
    let own = matching.own(among: found.file.subjects)
    return Content(
      upload: id, name: found.name, file: found.file.only(own),
      subjects: found.file.subjects.filter { own.contains($0.key) })
  }

  private static func run(
    _ file: ImportFile, _ name: String, accept: Bool, _ form: PostedForm
  ) async throws {
    let (environment, signedIn, patient) = (form.call.environment, form.signedIn, form.patient)
    // The changes of a table can be undone together.
    try await form.run { context, writer in
      try TableImports.note(file, name: name, patient: patient, context, in: writer)
    }
    let context: @Sendable () -> CommandContext = {
      environment.commandContext(for: signedIn, now: environment.now())
    }
    let run = ImportRun(
      database: environment.database, patient: patient, source: name, accept: accept,
      dispenses: DispenseCommands(), context: context)
    var report = try await run.perform(file)
    try await ImportedMeasurements(
      environment: environment, patient: patient, isTrial: false, context: context
    ).take(file.measurements, into: &report)
  }

  /// Accepts a prescription that waits only for the person's answer about its supply.
  ///
  /// If something else must be confirmed too, it stays on Today.
  private static func answerSupply(
    of prescriptions: [ImportPrescription], _ form: PostedForm
  ) async throws {
    guard
      let answer = form.text(SafetyQuestionFields.supplyField)
        .flatMap(SupplyQuestion.Answer.init(rawValue:)),
      let prescription = prescriptions.first, prescriptions.count == 1
    else { return }
    let patient = form.patient
    do {
      try await form.run { context, writer in
        guard
          let known = try ProposalQueries.known(prescription, patient: patient, in: writer),
          known.state == .open
        else { return }
        let confirmed = try ProposalCommands.confirmations(answer, known, context, in: writer)
        try ProposalCommands.accept(
          known.id, patient: patient, confirmed: confirmed, context: context, in: writer)
      }
    } catch let error as ImportError {
      guard case .plan = error else { throw error }
    }
  }

  /// Remembers a declined prescription, so that the same file does not offer it again.
  private static func decline(
    _ prescriptions: [ImportPrescription], _ name: String, _ form: PostedForm
  ) async throws {
    let patient = form.patient
    for prescription in prescriptions {
      try await form.run { context, writer in
        _ = try ProposalCommands.propose(
          prescription, patient: patient, source: name, accept: false, context: context,
          in: writer)
        guard
          let known = try ProposalQueries.known(prescription, patient: patient, in: writer),
          known.state == .open
        else { return }
        try ProposalCommands.decline(
          known.id, patient: patient, context: context, in: writer)
      }
    }
  }
}
