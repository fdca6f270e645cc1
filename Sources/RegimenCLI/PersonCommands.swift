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
      The zip file holds all resources with their versions as a FHIR Bundle, tables (CSV) of doses, \
      answers, intakes and everything else, who looked, and files that were sent. A running server \
      writes it, so name a place where it may; a file that is there already is left alone. The \
      export is put on record before it begins.
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
    commandName: "erase", abstract: "Erases everything about one person, for ever.",
    discussion: """
      Records with all versions, plans, doses, answers, reminders, files, settings, grants, and the \
      accounts whose own patient it is. The audit trail keeps ids, without what was in the data. \
      Confirm by typing the id once more, on standard input or with --confirm. Backups that were \
      made before still hold the person. Refused while others would be left without anybody who \
      may act for them, or the installation without an administrator.
      """)

  @Option(help: "The id of the patient.")
  var patient: String
  @Option(help: "The id once more, instead of typing it.")
  var confirm: String?
  @OptionGroup var data: DataOptions

  func run() async throws {
    try DataPresence.require(data.folder)
    if confirm == nil, isatty(STDIN_FILENO) != 0 {
      StandardStream.error.write(
        "This cannot be undone. Type the id of the patient once more: ")
    }
    guard (confirm ?? readLine(strippingNewline: true)) == patient else {
      throw CommandFailure(description: "Not confirmed: nothing was erased.")
    }
    try await MaintenanceClient(data: data.folder).run(.erase(patient: PatientID(patient)))
  }
}
