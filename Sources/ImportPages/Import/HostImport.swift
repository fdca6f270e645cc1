// SPDX-License-Identifier: Apache-2.0

import Access
import Dosing
import FHIR
import HTTPTypes
import Identifiers
import Localization
import People
import Prescriptions
import Scheduling
import Storage
import Web

/// The operator's choices for importing a file.
package struct ImportOptions: Sendable, Hashable {
  /// The largest file, in bytes.
  package static let maximumBytes = 1024 * 1024 * 1024

  /// The patient named by the operator; nil for the only one of the installation.
  package var patient: PatientID?
  /// True to accept new prescriptions at once; false to offer them for a decision.
  package var accept: Bool
  /// True to report what would happen without changing anything.
  package var isTrial: Bool
  /// The name of the file, which is also recorded as the source of its prescriptions.
  package var fileName: String
  /// The language of sentences; nil for the person's own language.
  package var language: Language?
  /// The name of the person, for a file that gives none and an installation without patients.
  package var personName: String?

  /// Creates the choices; sentences are in the person's own language.
  package init(patient: PatientID?, accept: Bool, isTrial: Bool, fileName: String) {
    self.patient = patient
    self.accept = accept
    self.isTrial = isTrial
    self.fileName = fileName
  }
}

/// An import on the host, for the patient whom the operator names or who is the only one.
package struct HostImport: Sendable {
  let environment: ServerEnvironment

  /// Creates an import into a server's database.
  package init(environment: ServerEnvironment) {
    self.environment = environment
  }

  /// Imports the file that was read and returns the JSON lines to print; the last one holds the
  /// counts.
  ///
  /// In an installation without patients, one is created for the only subject that the file names.
  ///
  /// - Parameter progress: Called with the number of prescriptions and administrations done so far.
  /// - Throws: ``Failure`` if the file is not FHIR JSON, or if it is not clear which patient is
  ///   meant.
  package func perform(
    _ reader: consuming ImportFileReader, _ options: ImportOptions,
    progress: @Sendable (Int) -> Void = { _ in }
  ) async throws -> [JSONValue] {
    try Self.checkFormat(reader.format)
    let file = reader.finish()
    let (patient, isNew) = try await patient(options, file)
    guard let patient else {
      // A dry run in an empty data folder: no patient exists yet whose plans could be shown.
      return [PatientImport.closing(ImportReport(file), patient: nil, isTrial: true)]
    }
    let patientImport = PatientImport(environment: environment, patient: patient, context: context)
    let selected =
      isNew ? file.only(Set(file.subjects.map(\.key))) : try await patientImport.own(file)
    var lines: [JSONValue] = []
    if options.isTrial {
      lines = try await patientImport.previews(of: selected.prescriptions, in: nil)
    }
    lines.append(try await patientImport.perform(selected, options, progress: progress))
    return lines
  }

  /// Checks that a file is FHIR in JSON.
  ///
  /// - Parameter format: The detected format; nil for an empty file.
  /// - Throws: ``Failure`` with the code `format` and a hint about the format that was found.
  package static func checkFormat(_ format: ImportFileReader.Format?) throws {
    let detail: String
    switch format {
    case .json: return
    case nil: detail = "The file is empty."
    case .xml:
      detail =
        "The file is XML. Send FHIR as JSON. For an Apple Health export, use the page /heart-rate/import."
    case .zip:
      detail =
        "The file is a zip archive. Send FHIR as JSON. For an Apple Health export, use the page /heart-rate/import."
    case .other: detail = "The file is not FHIR JSON: it must begin with {."
    }
    throw Failure.unprocessable("format", detail)
  }

  var context: @Sendable () -> CommandContext {
    let environment = environment
    return {
      environment.commandContext(
        for: .host(accountID: .hostOperator), byName: "", now: environment.now(),
        purpose: .administration)
    }
  }

  // MARK: Patient

  private func patient(_ options: ImportOptions, _ file: ImportFile) async throws
    -> (id: PatientID?, isNew: Bool)
  {
    let environment = environment
    if let patient = options.patient {
      guard
        try await environment.database.read({ try PeopleQueries.exists(patient, in: $0) })
      else {
        throw Failure.unprocessable("patient", "No patient has the id given with --patient.")
      }
      return (patient, false)
    }
    let all = try await environment.database.read { try PeopleQueries.first(2, in: $0) }
    if let only = all.first, all.count == 1 {
      try await checkName(options, of: only)
      return (only, false)
    }
    guard all.isEmpty else {
      throw Failure.unprocessable(
        "patient", "There are several patients. Name one with --patient.")
    }
    guard let subject = file.subjects.first, file.subjects.count == 1 else {
      throw Failure.unprocessable(
        "patient",
        "There is no patient yet, and the file does not name exactly one. Create an account first.")
    }
    if options.isTrial { return (nil, true) }
    let stated = [subject.name, Self.name(options)].compactMap(\.self).first { !$0.isEmpty }
    guard let name = stated else {
      throw Failure.unprocessable(
        Self.nameMissing,
        "The file does not say whose data it holds. Name the person with --name \"Ann Example\".")
    }
    return (try await make(subject, name: name), true)
  }

  /// The code of the failure for a file that gives no name, if none was given with it either.
  package static let nameMissing = "name-missing"

  private static func name(_ options: ImportOptions) -> String? {
    let name = DraftText.trimmed(options.personName ?? "")
    return name.isEmpty ? nil : name
  }

  /// Refuses a name that is not the only patient's, so that nothing is imported for someone else.
  private func checkName(_ options: ImportOptions, of patient: PatientID) async throws {
    guard let name = Self.name(options) else { return }
    let known = try await environment.database.read {
      try PeopleQueries.details(patient, in: $0)?.details.displayName
    }
    guard known?.lowercased() != name.lowercased() else { return }
    throw Failure.unprocessable(
      "patient", "The only patient here has another name. Leave --name out, or use --patient.")
  }

  /// Returns the patient named by the operator, or the only one, for files that name no patient.
  ///
  /// In an empty data folder one is created, to be named later.
  func onlyPatient(_ options: ImportOptions) async throws -> PatientID {
    let environment = environment
    if let patient = options.patient {
      guard
        try await environment.database.read({ try PeopleQueries.exists(patient, in: $0) })
      else {
        throw Failure.unprocessable("patient", "No patient has the id given with --patient.")
      }
      return patient
    }
    let all = try await environment.database.read { try PeopleQueries.first(2, in: $0) }
    guard all.count <= 1 else {
      throw Failure.unprocessable(
        "patient", "There are several patients. Name one with --patient.")
    }
    if let only = all.first { return only }
    let id = environment.newIdentifier()
    guard !options.isTrial else { return PatientID(id) }
    let details = PatientDetails(
      // The file contains no name: the person enters it on the page of details.
      givenName: Localizer.of(.en).text("columns.unnamed"), familyName: "", birthDate: nil,
      language: .en,
      zone: environment.settings.homeZone)
    let context = context()
    try await environment.database.write { writer in
      _ = try PeopleCommands.create(details, patient: PatientID(id), context: context, in: writer)
    }
    return PatientID(id)
  }

  private func make(_ subject: ImportSubject, name: String) async throws -> PatientID {
    let id = environment.newIdentifier()
    let family = subject.familyName ?? ""
    let given = subject.givenNames.joined(separator: " ")
    let details = PatientDetails(
      givenName: given.isEmpty && family.isEmpty ? name : given,
      familyName: family, birthDate: subject.birthDate.flatMap { CivilDate(text: $0) },
      language: .en, zone: environment.settings.homeZone)
    let context = context()
    try await environment.database.write { writer in
      _ = try PeopleCommands.create(details, patient: PatientID(id), context: context, in: writer)
    }
    return PatientID(id)
  }
}
