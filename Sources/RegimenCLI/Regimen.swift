// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Web

/// The entry point: runs a command and reports its failure in the documented form.
@main
enum Program {
  /// Exits with 0 for success, 1 for a failure with one line on standard error, 2 for wrong usage.
  static func main() async {
    AllocatorMemory.limitArenas()
    StandardStream.openClosed()
    do {
      var command = try Regimen.parseAsRoot()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch {
      finish(with: error)
    }
  }

  private static func finish(with error: any Error) -> Never {
    let code = Regimen.exitCode(for: error)
    if code == .success {
      print(Regimen.fullMessage(for: error))
      exit(0)
    }
    let text = (error as? CommandFailure)?.description ?? Regimen.message(for: error)
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    // A command that printed its findings itself throws only the status.
    if !line.isEmpty { StandardStream.error.write("regimen: \(line)\n") }
    exit(code == .validationFailure ? 2 : 1)
  }
}

/// The `regimen` program.
struct Regimen: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "regimen",
    abstract: "Helps people take their medicines: server, FHIR API and tools in one program.",
    version: "regimen \(ServerSettings.version) (\(EmbeddedCommit.text))",
    subcommands: [
      ServeCommand.self, ImportCommand.self, AccountCommand.self, TokenCommand.self,
      CDSCommand.self, AppCommand.self, DeviceCommand.self, StudyCommand.self,
      ScheduleCommand.self, InstructionsCommand.self, DetectCommand.self, InteractionsCommand.self,
      PlanTimesCommand.self, QuestionnaireCommand.self,
      DemoCommand.self,
      BackupCommand.self,
      RestoreCommand.self, VerifyCommand.self, RebuildCommand.self, DoctorCommand.self,
      HealthCommand.self, MetricsCommand.self,
      ChangeKeyCommand.self,
      UpgradeCommand.self, MigrateCommand.self, ExportCommand.self, EraseCommand.self,
    ])
}

/// A failure that ends the program with one line on standard error and status 1.
struct CommandFailure: Error, CustomStringConvertible {
  let description: String
  /// The code of the failure, if the server or a command of the domain gave one.
  var code: String?
}

/// The options for the location of the data.
struct DataOptions: ParsableArguments {
  @Option(name: .customLong("data"), help: "The data folder (or REGIMEN_DATA).")
  var path: String?

  /// The folder given, else the variable, else `./var`.
  var folder: String {
    path ?? ProcessInfo.processInfo.environment["REGIMEN_DATA"] ?? "./var"
  }
}
