// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import HealthData
import Identifiers
import Observations
import People
import Prescriptions
import Presentation
import Storage
import TimeZones
import Web

/// The progress of an import.
package struct HealthImportProgress: Sendable, Hashable {
  /// The bytes of the export's text read so far.
  package let read: Int64
  /// The size of the whole export in bytes.
  package let size: Int64
}

/// An import of a file of measurements for one patient, in constant memory whatever the size of the
/// file.
///
/// It reads on its own thread and writes in small batches, so that no one's answer waits for it. If
/// it is stopped, everything written until then stays; importing the same file again changes
/// nothing.
package struct HealthFileImport: Sendable {
  let environment: ServerEnvironment
  let patient: PatientID
  let context: @Sendable () -> CommandContext
  let isTrial: Bool
  /// The meaning of a table's columns; nil to recognize them by their names.
  var mapping: TableMapping?

  /// The number of samples that are written together.
  private static let gathered = 20_000
  /// The most clinical records and medicine reports in one file.
  private static let mostClinical = 5_000
  /// The most values that a dry run shows.
  private static let mostExamples = 10

  /// Imports a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file on this machine.
  ///   - accept: True to accept the prescriptions among the clinical records at once; false to
  ///     offer them.
  ///   - progress: Called from time to time; an error that it throws stops the import.
  /// - Throws: ``HealthFileError`` if the file cannot be read.
  package func perform(
    path: String, accept: Bool = false,
    progress: @escaping @Sendable (HealthImportProgress) throws -> Void = { _ in }
  ) async throws -> HealthImportReport {
    let conditions = try await conditions()
    let outcome: Outcome = try await withCheckedThrowingContinuation { continuation in
      let thread = Thread {
        giveWay()
        continuation.resume(with: Result { try read(path, conditions, progress) })
      }
      thread.name = "import"
      thread.start()
    }
    var report = outcome.report
    report.medicines = try await record(outcome.medications)
    if case .appleHealth(let export) = outcome.source, !outcome.clinical.isEmpty {
      report.prescriptions = try await offer(outcome.clinical, of: export, accept: accept)
    }
    return report
  }

  private struct Outcome: Sendable {
    var report: HealthImportReport
    var clinical: [String]
    var medications: [PostedMedication]
    var source: HealthFileSource
  }

  private func conditions() async throws -> HealthFileSource.Conditions {
    let zones = environment.zones
    return HealthFileSource.Conditions(
      now: environment.now().milliseconds / 1_000,
      zone: try await VitalIntake.offsets(of: patient, in: environment),
      zoneNamed: { name in
        guard let zone = try? zones.zone(name) else { return nil }
        return VitalIntake.offsets(of: zone)
      }, mapping: mapping)
  }

  private func read(
    _ path: String, _ conditions: HealthFileSource.Conditions,
    _ progress: @Sendable (HealthImportProgress) throws -> Void
  ) throws -> Outcome {
    let source = try HealthFileSource(try HealthFile(path: path))
    let intake = VitalIntake(environment: environment, patient: patient, context: context)
    var batch = VitalBatch()
    var counts = VitalCounts()
    var clinical: [String] = []
    var medications: [PostedMedication] = []
    var examples: [VitalReading] = []
    // One batch is written while the next is read.
    var writing: Awaited<VitalCounts>?
    func flush() throws {
      let written = writing
      writing = nil
      if let more = try written?.wait() { counts.add(more) }
      guard !batch.isEmpty, !isTrial else {
        batch = VitalBatch()
        return
      }
      let part = batch
      batch = VitalBatch()
      writing = Awaited { try await intake.take(part) }
    }
    func gather(_ reading: VitalReading, isRemoval: Bool) throws {
      if isTrial, examples.count < Self.mostExamples { examples.append(reading) }
      batch.add(VitalSample(reading, isRemoval: isRemoval))
      if batch.count >= Self.gathered { try flush() }
    }
    defer { _ = try? writing?.wait() }
    let read = try source.read(conditions) { bytes in
      try progress(HealthImportProgress(read: bytes, size: source.size))
    } take: { item in
      switch item {
      case .reading(let reading): try gather(reading, isRemoval: false)
      case .removal(let reading): try gather(reading, isRemoval: true)
      case .clinicalRecord(let path):
        if clinical.count < Self.mostClinical { clinical.append(path) }
      case .medication(let medication):
        if medications.count < Self.mostClinical { medications.append(medication) }
      }
    }
    try flush()
    try flush()
    var report = HealthImportReport(
      format: source.format, read: read, counts: counts, isTrial: isTrial)
    report.examples = examples
    if case .table(let table) = source {
      let used = mapping ?? TableMapping(guessedFrom: table.header)
      report.columns = used.answers
    }
    return Outcome(
      report: report, clinical: clinical, medications: medications, source: source)
  }

  /// Records a phone's report of a medicine; nil if there is none.
  private func record(_ medications: [PostedMedication]) async throws
    -> HealthImportReport.Medicines?
  {
    guard !medications.isEmpty else { return nil }
    var medicines = HealthImportReport.Medicines()
    for medication in medications {
      let taking = PostedMedicines(
        environment: environment, patient: patient, context: context())
      let isKnown = medication.taken != nil && medication.at != nil
      let problem = isTrial ? (isKnown ? nil : "status") : try await taking.take(medication)
      if problem == nil { medicines.taken += 1 } else { medicines.skipped += 1 }
    }
    return medicines
  }

  /// Offers the prescriptions among the clinical records, which are the person's own.
  private func offer(_ clinical: [String], of export: AppleExport, accept: Bool) async throws
    -> JSONValue
  {
    var reader = ImportFileReader(fileName: "clinical-records.ndjson")
    for path in clinical {
      guard let bytes = try export.clinicalRecord(path),
        let resource = try? JSONValue(parsing: bytes)
      else { continue }
      reader.append(resource.bytes + [0x0A])
    }
    let file = reader.finish()
    let patientImport = PatientImport(environment: environment, patient: patient, context: context)
    return try await patientImport.perform(
      file.only(Set(file.subjects.map(\.key))),
      ImportOptions(
        patient: patient, accept: accept, isTrial: isTrial, fileName: "Apple Health"))
  }
}
