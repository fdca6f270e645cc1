// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// The `regimen` program.
@main
struct Regimen: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "regimen",
    abstract: "Keeps people on their medicines: server, FHIR API and tools in one program.",
    version: "0.1.0",
    subcommands: [ServeCommand.self, AccountCommand.self, TokenCommand.self])
}

/// Ends the program with one line on standard error and status 1.
struct CommandFailure: Error, CustomStringConvertible {
  let description: String
}

/// Where the data is.
struct DataOptions: ParsableArguments {
  @Option(name: .customLong("data"), help: "The data folder (or REGIMEN_DATA).")
  var path: String?

  /// The folder given, else the variable, else `./var`.
  var folder: String {
    path ?? ProcessInfo.processInfo.environment["REGIMEN_DATA"] ?? "./var"
  }
}
