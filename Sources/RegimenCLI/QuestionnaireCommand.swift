// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Diary
import Foundation

/// The command `regimen questionnaire`.
struct QuestionnaireCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "questionnaire", abstract: "Checks FHIR Questionnaires.",
    subcommands: [Check.self])

  /// The command `regimen questionnaire check`.
  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Checks whether a FHIR Questionnaire can be asked.",
      discussion: """
        Prints one line for each broken rule: the place of the element, the rule and a sentence. Prints \
        nothing and ends with 0 if the questionnaire can be asked. Needs no data folder and no server.
        """)

    @Argument(help: "The file, or - for standard input.")
    var file = "-"

    func run() throws {
      let handle = try InputFile.open(file)
      // One byte more than the reader accepts, so that a larger file is refused and not cut.
      let bytes = Array(try handle.read(upToCount: (2 << 20) + 1) ?? Data())
      let lines = QuestionnaireCheck.lines(of: bytes)
      guard !lines.isEmpty else { return }
      for line in lines { StandardStream.output.write(Array("\(line)\n".utf8)) }
      throw CommandFailure(description: "The questionnaire breaks \(lines.count) rules.")
    }
  }
}
