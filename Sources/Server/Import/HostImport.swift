// SPDX-License-Identifier: Apache-2.0

import Access
import Adherence
import FHIR
import HTTPTypes
import Localization
import Scheduling
import Storage

/// How the operator wants a file to be taken over.
package struct ImportOptions: Sendable, Hashable {
  package var patient: String?
  package var accept: Bool
  package var isTrial: Bool
  package var fileName: String

  package init(patient: String?, accept: Bool, isTrial: Bool, fileName: String) {
    self.patient = patient
    self.accept = accept
    self.isTrial = isTrial
    self.fileName = fileName
  }
}

/// Takes a file over on the host, for a patient whom the operator names or who is the only one.
package struct HostImport: Sendable {
  let environment: ServerEnvironment

  package init(environment: ServerEnvironment) {
    self.environment = environment
  }

  /// Takes over what was read; the JSON lines to print, the closing count last.
  ///
  /// - Parameter progress: called with how many prescriptions and administrations are done.
  package func perform(
    _ reader: consuming ImportFileReader, _ options: ImportOptions,
    progress: @Sendable (Int) -> Void = { _ in }
  ) async throws -> [JSONValue] {
    try Self.checkFormat(reader.format)
    let file = reader.finish()
    let (patient, isNew) = try await patient(options, file)
    guard let patient else {
      // An empty data folder on trial: there is nobody yet whose plans could be shown.
      return [closing(ImportReport(file).json, patient: nil, isTrial: true)]
    }
    let matching = try await environment.database.read { try ImportMatching.load(patient, in: $0) }
    let own = isNew ? Set(file.subjects.map(\.key)) : matching.own(among: file.subjects)
    let selected = file.only(own)
    var lines: [JSONValue] = []
    if options.isTrial { lines = try await previews(of: selected, patient: patient) }
    let context = context
    let run = ImportRun(
      database: environment.database, patient: patient, source: options.fileName,
      accept: options.accept, isTrial: options.isTrial, context: context)
    let report = try await run.perform(selected, progress: progress)
    lines.append(closing(report.json, patient: patient, isTrial: options.isTrial))
    return lines
  }

  /// Refuses what is no FHIR in JSON.
  static func checkFormat(_ format: ImportFileReader.Format?) throws {
    let detail: String
    switch format {
    case .json: return
    case nil: detail = "The file is empty."
    case .xml:
      detail =
        "The file is XML. FHIR is read as JSON; Apple Health exports are not read by this version."
    case .zip: detail = "The file is a zip archive; this version reads FHIR as JSON or ndjson."
    case .other: detail = "The file is no FHIR JSON: it must begin with {."
    }
    throw Failure.unprocessable("format", detail)
  }

  private var context: @Sendable () -> CommandContext {
    let environment = environment
    return {
      CommandContext(
        actor: .host(accountID: "operator"), byName: "", now: environment.now(),
        newIdentifier: environment.newIdentifier, zones: environment.zones,
        purpose: .administration)
    }
  }

  private func closing(_ json: JSONValue, patient: String?, isTrial: Bool) -> JSONValue {
    var json = json
    if let patient { json["patient"] = .string(patient) }
    json["dryRun"] = .bool(isTrial)
    return json
  }

  private func previews(of file: ImportFile, patient: String) async throws -> [JSONValue] {
    let environment = environment
    let (zone, language) = try await environment.database.read { reader in
      (
        try PeopleQueries.zone(patient, zones: environment.zones, in: reader),
        try PeopleQueries.language(patient, in: reader) ?? .en
      )
    }
    let clock = MedicineClock(zone: zone, localizer: Localizer.of(language))
    var lines: [JSONValue] = []
    for prescription in file.prescriptions {
      let preview = try await ImportPreview.make(
        prescription, patient: patient, clock: clock, context: context(),
        in: environment.database)
      lines.append(preview.json(clock))
    }
    return lines
  }

  // MARK: Whose it is

  private func patient(_ options: ImportOptions, _ file: ImportFile) async throws
    -> (id: String?, isNew: Bool)
  {
    let environment = environment
    if let patient = options.patient {
      guard
        try await environment.database.read({ try PeopleQueries.exists(patient, in: $0) })
      else {
        throw Failure.unprocessable("patient", "There is no patient of the id given by --patient.")
      }
      return (patient, false)
    }
    let all = try await environment.database.read { try PeopleQueries.first(2, in: $0) }
    if let only = all.first, all.count == 1 { return (only, false) }
    guard all.isEmpty else {
      throw Failure.unprocessable(
        "patient", "There are several patients here: name one with --patient.")
    }
    let people = file.subjects.filter { $0.name != nil }
    guard let subject = people.first, file.subjects.count == 1 else {
      throw Failure.unprocessable(
        "patient",
        "There is no patient here yet, and the file does not name exactly one to make.")
    }
    if options.isTrial { return (nil, true) }
    return (try await make(subject), true)
  }

  private func make(_ subject: ImportSubject) async throws -> String {
    let id = environment.newIdentifier()
    let family = subject.familyName ?? ""
    let given = subject.givenNames.joined(separator: " ")
    let details = PatientDetails(
      givenName: given.isEmpty && family.isEmpty ? subject.name ?? "" : given,
      familyName: family, birthDate: subject.birthDate.flatMap { CivilDate(text: $0) },
      language: .en, zone: environment.settings.homeZone)
    let context = context()
    try await environment.database.write { writer in
      _ = try PeopleCommands.create(details, patient: id, context: context, in: writer)
    }
    return id
  }
}
