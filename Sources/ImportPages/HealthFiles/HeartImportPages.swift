// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HealthData
import HTTPTypes
import Hummingbird
import Observations
import SiteMap
import Web

/// The pages for importing a file of measurements in the browser.
package enum HeartImportPages {
  /// The routes of the form and of running imports.
  package static let all: [Route] = [
    .page(.get, Address.heartRateImport, form),
    .page(.post, Address.heartRateImport, upload)
      .takingFile(upTo: maximumFile, within: 3_600),
    .page(.get, "/heart-rate/import/:job", show),
    .form("/heart-rate/import/:job/columns", columns),
    .form("/heart-rate/import/:job/stop", stop),
  ]

  /// Ten times the size of a compressed export of many years.
  static let maximumFile = 4 << 30

  private static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    _ = try call.authorize(.create, VitalCommands.resource, of: call.patient(of: signedIn))
    if let running = call.environment.healthImports.running(of: signedIn.account.id) {
      return call.redirect(to: "\(Address.heartRateImport)/\(running.id)")
    }
    return HeartImportPage(mistake: nil).response(call)
  }

  private static func upload(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    _ = try call.authorize(.create, VitalCommands.resource, of: patient)
    let type = call.request.headers[.contentType] ?? ""
    guard MultipartReader(contentType: type) != nil else {
      // A form without a file: it still must come from a page of this server.
      try ForgeryGuard.check(try await FormBody.read(call), of: call)
      return HeartImportPage(mistake: .missing).response(call)
    }
    let environment = call.environment
    let received = try ReceivedHealthFile(call: call, contentType: type)
    do {
      try await BodyReader.pieces(of: call) { try await received.append($0) }
      try await received.finish()
    } catch let mistake as HeartImportMistake {
      return HeartImportPage(mistake: mistake).response(call)
    }
    let upload = received.upload
    let source = try? HealthFileSource(try HealthFile(path: upload.path))
    let table: TableFile? = if case .table(let table)? = source { table } else { nil }
    let job = HealthImportJob(
      id: environment.newIdentifier(), account: signedIn.account.id, patient: patient,
      fileName: await received.fileName, file: upload, table: table,
      begin: environment.uptime())
    guard environment.healthImports.add(job) else {
      return HeartImportPage(mistake: .running).response(call)
    }
    if let table {
      let guess = TableMapping(guessedFrom: table.header)
      if guess.mistake(columns: table.header.count) == nil {
        job.say(guess, trial: try? await trial(job, guess, call, signedIn))
      }
    } else {
      start(job, mapping: nil, call, signedIn)
    }
    return call.redirect(to: "\(Address.heartRateImport)/\(job.id)")
  }

  /// Runs an import outside of the request: it continues when the browser leaves, and the page of
  /// the job shows its progress.
  private static func start(
    _ job: HealthImportJob, mapping: TableMapping?, _ call: Call, _ signedIn: SignedIn
  ) {
    let run = run(job, mapping, isTrial: false, call, signedIn)
    let turns = call.environment.healthImports.turns
    Task { await job.run(run, in: turns) }
  }

  private static func run(
    _ job: HealthImportJob, _ mapping: TableMapping?, isTrial: Bool, _ call: Call,
    _ signedIn: SignedIn
  ) -> HealthFileImport {
    let environment = call.environment
    return HealthFileImport(
      environment: environment, patient: job.patient,
      context: { environment.commandContext(for: signedIn, now: environment.now()) },
      isTrial: isTrial, mapping: mapping)
  }

  /// Runs a dry run of a waiting table.
  private static func trial(
    _ job: HealthImportJob, _ mapping: TableMapping, _ call: Call, _ signedIn: SignedIn
  ) async throws -> HealthImportReport {
    try await run(job, mapping, isTrial: true, call, signedIn).perform(path: job.file.path)
  }

  /// Saves the chosen columns of a table and runs the dry run, or starts the import.
  private static func columns(_ form: PostedForm) async throws -> Response {
    let (call, signedIn) = (form.call, form.signedIn)
    let job = try job(call, signedIn)
    _ = try call.authorize(.create, VitalCommands.resource, of: job.patient)
    guard let table = job.state.table else {
      return call.redirect(to: "\(Address.heartRateImport)/\(job.id)")
    }
    let mapping = HeartColumnsInput.mapping(form.fields)
    if let mistake = mapping.mistake(columns: table.file.header.count) {
      var shown = table
      shown.mapping = mapping
      shown.trial = nil
      return HeartColumnsPage(job: job, table: shown, mistake: mistake).response(call)
    }
    if form.text("action") == "take" {
      if job.begin(at: call.environment.uptime()) { start(job, mapping: mapping, call, signedIn) }
    } else {
      job.say(mapping, trial: try await trial(job, mapping, call, signedIn))
    }
    return call.redirect(to: "\(Address.heartRateImport)/\(job.id)")
  }

  private static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let job = try job(call, signedIn)
    _ = try call.authorize(.read, VitalCommands.resource, of: job.patient)
    if let table = job.state.table {
      return HeartColumnsPage(job: job, table: table, mistake: nil).response(call)
    }
    return HeartJobPage(job: job, uptime: call.environment.uptime()).response(call)
  }

  private static func stop(_ form: PostedForm) async throws -> Response {
    let job = try job(form.call, form.signedIn)
    job.stop()
    return form.redirect(to: "\(Address.heartRateImport)/\(job.id)")
  }

  private static func job(_ call: Call, _ signedIn: SignedIn) throws -> HealthImportJob {
    guard
      let job = call.environment.healthImports.job(
        try call.parameter("job"), of: signedIn.account.id)
    else { throw Failure.notFound }
    return job
  }
}
