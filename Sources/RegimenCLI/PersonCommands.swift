// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Identifiers
import Web

/// The command `regimen export`.
struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Writes everything about one person into a zip file.",
    discussion: """
      The zip file contains all resources with their versions as a FHIR Bundle, tables (CSV) of \
      doses, answers, intakes and everything else, the access log, and files that were sent. A \
      running server writes it, so name a place it may write to. An existing file is not replaced. \
      The export is recorded in the audit trail before it starts.
      """)

  @Option(help: "The id of the patient.")
  var patient: String
  @Argument(help: "The file to write.")
  var file: String
  @OptionGroup var data: DataOptions

  func run() async throws {
    try DataPresence.require(data.folder)
    try await MaintenanceClient(data: data.folder).run(
      .export(patient: PatientID(patient), to: CommandPath.absolute(file)))
  }
}

/// The command `regimen erase`.
struct EraseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "erase", abstract: "Erases everything about one person permanently.",
    discussion: """
      Records with all versions, plans, doses, answers, reminders, files, settings, grants, and \
      the accounts that belong to the person. The audit trail keeps ids but no data. Confirm by \
      typing the id again, on standard input or with --confirm. Earlier backups still contain the \
      person. Refused if others would be left with no one who may act for them, or the \
      installation without an administrator.
      """)

  @Option(help: "The id of the patient.")
  var patient: String
  @Option(help: "The id again, to confirm without typing it.")
  var confirm: String?
  @OptionGroup var data: DataOptions

  func run() async throws {
    try DataPresence.require(data.folder)
    if confirm == nil, isatty(STDIN_FILENO) != 0 {
      StandardStream.error.write(
        "This cannot be undone. Type the patient's id again: ")
    }
    guard (confirm ?? readLine(strippingNewline: true)) == patient else {
      throw CommandFailure(description: "Not confirmed. Nothing was erased.")
    }
    try await MaintenanceClient(data: data.folder).run(.erase(patient: PatientID(patient)))
  }
}
