// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Knowledge
import Localization
import People
import Prescriptions
import Presentation
import Storage
import Supply
import Web

/// An import of a file's content for one patient, or a dry run of it.
package struct PatientImport: Sendable {
  /// The server whose database is read and written.
  package let environment: ServerEnvironment
  /// The patient for whom the file is imported.
  package let patient: PatientID
  /// The region whose rules apply to children.
  package var region = Region.uk
  /// Makes the context of each command: the account that imports, and the current time.
  package let context: @Sendable () -> CommandContext

  /// Creates an import for one patient.
  package init(
    environment: ServerEnvironment, patient: PatientID, region: Region = Region.uk,
    context: @escaping @Sendable () -> CommandContext
  ) {
    self.environment = environment
    self.patient = patient
    self.region = region
    self.context = context
  }

  /// Returns the file without other people's entries, which the report lists instead.
  package func own(_ file: ImportFile) async throws -> ImportFile {
    let patient = patient
    let matcher = try await environment.database.read { try ImportMatcher.load(patient, in: $0) }
    return file.only(matcher.own(among: file.subjects))
  }

  /// Imports a file and returns the closing JSON line: the counts, the patient, and the findings.
  ///
  /// The medicines are checked before anything is accepted: afterwards none of them would be new.
  ///
  /// - Parameter progress: Called with the number of prescriptions and administrations done so far.
  package func perform(
    _ file: ImportFile, _ options: ImportOptions,
    progress: @Sendable (Int) -> Void = { _ in }
  ) async throws -> JSONValue {
    // Checked before anything is accepted: afterwards nothing would be new.
    let found = try await findings(of: file.prescriptions, in: options.language)
    let run = ImportRun(
      database: environment.database, patient: patient, source: options.fileName,
      accept: options.accept, isTrial: options.isTrial, dispenses: DispenseCommands(),
      context: context)
    var report = try await run.perform(file, progress: progress)
    try await ImportedMeasurements(
      environment: environment, patient: patient, isTrial: options.isTrial, context: context
    ).take(file.measurements, into: &report)
    var closing = Self.closing(report, patient: patient, isTrial: options.isTrial)
    closing["findings"] = .array(found)
    return closing
  }

  /// Returns the prescriptions with findings, each with its entry in the file.
  private func findings(
    of prescriptions: [ImportPrescription], in language: Language?
  ) async throws -> [JSONValue] {
    let (clock, checks) = try await checks(of: prescriptions, in: language)
    let words = DoseFormatter(localizer: clock.localizer, zone: clock.zone, now: context().now)
    let list = environment.interactions.list
    return checks.checks.sorted { $0.key < $1.key }.filter { !$0.value.isQuiet }.map { entry in
      var json: JSONValue = [
        "entry": .number(JSONNumber(entry.key)),
        "medicine": .string(entry.value.checked.name(entry.value.medicine)),
      ]
      MedicineFindings(entry.value, list: list, words: words).write(into: &json)
      return json
    }
  }

  private func checks(
    of prescriptions: [ImportPrescription], in language: Language?
  ) async throws -> (MedicineClock, ImportChecks) {
    let (environment, patient, region, context) = (environment, patient, region, context())
    return try await environment.database.read { reader in
      let zone = try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
      let own = try PeopleQueries.language(patient, in: reader) ?? .en
      let checker = MedicineChecker(
        list: environment.interactions.list, patient: patient, actor: context.actor,
        region: region, now: context.now, zone: zone)
      return (
        MedicineClock(zone: zone, localizer: Localizer.of(language ?? own)),
        try ImportChecks(prescriptions, patient: patient, checker: checker, in: reader)
      )
    }
  }

  /// Returns each prescription as JSON, as it would be after the import.
  ///
  /// - Parameter language: The language of the sentences; nil for the patient's own.
  package func previews(of prescriptions: some Sequence<ImportPrescription>, in language: Language?)
    async throws -> [JSONValue]
  {
    let (clock, checks) = try await checks(of: Array(prescriptions), in: language)
    let list = environment.interactions.list
    var previews: [JSONValue] = []
    for prescription in prescriptions {
      var preview = try await ImportPreview.make(
        prescription, patient: patient, clock: clock, context: context(),
        in: environment.database)
      preview.check = checks.checks[prescription.number]
      previews.append(preview.json(clock, list: list, now: context().now))
    }
    return previews
  }

  static func closing(_ report: ImportReport, patient: PatientID?, isTrial: Bool) -> JSONValue {
    var json = report.json
    if let patient { json["patient"] = .string(patient.text) }
    json["dryRun"] = .bool(isTrial)
    return json
  }
}
