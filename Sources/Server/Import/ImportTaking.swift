// SPDX-License-Identifier: Apache-2.0

import Adherence
import FHIR
import Localization
import Storage

/// Takes over for one patient what a file holds, or says what would become of it.
struct ImportTaking: Sendable {
  let environment: ServerEnvironment
  let patient: String
  let context: @Sendable () -> CommandContext

  /// The file without what is other people's, which is reported by entry instead.
  func own(_ file: ImportFile) async throws -> ImportFile {
    let patient = patient
    let matching = try await environment.database.read { try ImportMatching.load(patient, in: $0) }
    return file.only(matching.own(among: file.subjects))
  }

  /// - Parameter progress: called with how many prescriptions and administrations are done.
  func perform(
    _ file: ImportFile, _ options: ImportOptions,
    progress: @Sendable (Int) -> Void = { _ in }
  ) async throws -> JSONValue {
    let run = ImportRun(
      database: environment.database, patient: patient, source: options.fileName,
      accept: options.accept, isTrial: options.isTrial, context: context)
    let report = try await run.perform(file, progress: progress)
    return Self.closing(report, patient: patient, isTrial: options.isTrial)
  }

  /// Each prescription as it would be, in a language.
  func previews(of prescriptions: some Sequence<ImportPrescription>, in language: Language?)
    async throws -> [JSONValue]
  {
    let (environment, patient) = (environment, patient)
    let (zone, own) = try await environment.database.read { reader in
      (
        try PeopleQueries.zone(patient, zones: environment.zones, in: reader),
        try PeopleQueries.language(patient, in: reader) ?? .en
      )
    }
    let clock = MedicineClock(zone: zone, localizer: Localizer.of(language ?? own))
    var previews: [JSONValue] = []
    for prescription in prescriptions {
      let preview = try await ImportPreview.make(
        prescription, patient: patient, clock: clock, context: context(),
        in: environment.database)
      previews.append(preview.json(clock))
    }
    return previews
  }

  static func closing(_ report: ImportReport, patient: String?, isTrial: Bool) -> JSONValue {
    var json = report.json
    if let patient { json["patient"] = .string(patient) }
    json["dryRun"] = .bool(isTrial)
    return json
  }
}
