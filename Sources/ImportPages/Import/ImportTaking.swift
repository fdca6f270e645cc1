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

/// Takes over for one patient what a file holds, or says what would become of it.
package struct ImportTaking: Sendable {
  package let environment: ServerEnvironment
  package let patient: PatientID
  /// The region whose rules apply to children.
  package var region = Region.uk
  package let context: @Sendable () -> CommandContext

  package init(
    environment: ServerEnvironment, patient: PatientID, region: Region = Region.uk,
    context: @escaping @Sendable () -> CommandContext
  ) {
    self.environment = environment
    self.patient = patient
    self.region = region
    self.context = context
  }

  /// The file without what is other people's, which is reported by entry instead.
  package func own(_ file: ImportFile) async throws -> ImportFile {
    let patient = patient
    let matching = try await environment.database.read { try ImportMatching.load(patient, in: $0) }
    return file.only(matching.own(among: file.subjects))
  }

  /// - Parameter progress: called with how many prescriptions and administrations are done.
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
    let report = try await run.perform(file, progress: progress)
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

  /// Each prescription as it would be, in a language.
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
