// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Operations
import Studies

/// The command `regimen study`.
struct StudyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "study", abstract: "Checks, loads, closes and exports studies.",
    discussion: "A study is a JSON file: see docs/run-a-study.md.",
    subcommands: [
      Check.self, Load.self, List.self, Close.self, Export.self, Allocation.self,
      Researcher.self, Revoke.self,
    ])

  /// Reads a file and prints its faults; exits with 1 if there are any.
  static func read(_ path: String) throws -> StudyFile {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw CommandFailure(description: "\(path) cannot be read.")
    }
    do throws(StudyFile.Refused) {
      return try StudyFile(Array(bytes))
    } catch {
      for problem in error.problems {
        print(TerminalText.line("\(path): \(problem.description)"))
      }
      throw ExitCode(1)
    }
  }

  /// The command `regimen study check`.
  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Checks a study file without loading it.",
      discussion: "Prints each fault with its line, place and rule; needs no data folder.")

    @Argument(help: "The file.")
    var file: String

    func run() throws {
      let study = try StudyCommand.read(file).definition
      print("\(study.id) version \(study.version): \(study.arms.count) arms, \(study.days) days")
    }
  }

  /// The command `regimen study load`.
  struct Load: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Loads a study, or a new version of one, and prints its id.")

    @Argument(help: "The file.")
    var file: String
    @OptionGroup var data: DataOptions

    func run() async throws {
      let study = try StudyCommand.read(file)
      print(
        try await AdministrationClient(data: data.folder).perform(.study(.load(text: study.text))))
    }
  }

  /// The command `regimen study list`.
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the studies with their researchers.",
      discussion: "Id, version, state, and the commitment to the sealed seed of the allocation.")

    @OptionGroup var data: DataOptions

    func run() async throws {
      let lines = try await AdministrationClient(data: data.folder).perform(.study(.list))
      if !lines.isEmpty { print(lines) }
    }
  }

  /// The command `regimen study close`.
  struct Close: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Ends joining, takes back what the arms added, and prints the id.",
      discussion: "A closed study cannot be opened again.")

    @Argument(help: "Id of the study.")
    var id: String
    @OptionGroup var data: DataOptions

    func run() async throws {
      print(try await AdministrationClient(data: data.folder).perform(.study(.close(id: id))))
    }
  }

  /// The command `regimen study export`.
  struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Writes a study's pseudonymised data into a new folder.",
      discussion: """
        CSV files with a data dictionary, and FHIR if the study shares it. A running server writes \
        them, so name a place it may write to. Participants see that the export was made.
        """)

    @Argument(help: "Id of the study.")
    var id: String
    @Option(name: .customLong("to"), help: "The folder; it must not exist yet.")
    var folder: String
    @OptionGroup var data: DataOptions

    func run() async throws {
      print(
        try await AdministrationClient(data: data.folder).perform(
          .study(.export(id: id, folder: CommandPath.absolute(folder)))))
    }
  }

  /// The command `regimen study allocation`.
  struct Allocation: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Shows the seed and the order of the arms, for an auditor.",
      discussion: "Only after the study was closed; until then the order stays sealed.")

    @Argument(help: "Id of the study.")
    var id: String
    @OptionGroup var data: DataOptions

    func run() async throws {
      print(
        try await AdministrationClient(data: data.folder).perform(.study(.allocation(id: id))))
    }
  }

  /// The command `regimen study researcher`.
  struct Researcher: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Adds a researcher, and prints an id and a token, which is not shown again.",
      discussion: "The token opens the counts and the export of this study, and nothing else.")

    @Argument(help: "Id of the study.")
    var id: String
    @Option(help: "Name, which participants see with each export.")
    var name: String
    @OptionGroup var data: DataOptions

    func run() async throws {
      print(
        try await AdministrationClient(data: data.folder).perform(
          .study(.addResearcher(id: id, name: name))))
    }
  }

  /// The command `regimen study revoke`.
  struct Revoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Ends the token of a researcher, and prints the researcher's id.")

    @Argument(help: "Id of the study.")
    var id: String
    @Option(help: "Id of the researcher, as listed.")
    var researcher: String
    @OptionGroup var data: DataOptions

    func run() async throws {
      print(
        try await AdministrationClient(data: data.folder).perform(
          .study(.revokeResearcher(id: id, researcher: researcher))))
    }
  }
}
