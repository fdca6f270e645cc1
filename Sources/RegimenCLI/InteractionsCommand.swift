// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FHIR
import Foundation
import Knowledge
import Localization
import Presentation

/// The command `regimen interactions`: checks medicines against each other, and an operator's own
/// rows.
struct InteractionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "interactions",
    abstract: "Finds interactions between medicines.",
    discussion: """
      Reads one JSON object per line: {"id","medicines":[names or ATC codes],"conditions"?:["cond:asthma"],\
      "allergies"?:[names]} and answers {"id","warnings":[{"kind","severity","medicines","about","row",\
      "effects","source","confirmed"}],"unlisted":[],"unlistedAllergies":[],"silentPairs"} or \
      {"id","error"}. Nothing found never means that it is safe. Needs no data folder and no server.
      """)

  @Argument(help: "The file, or - for standard input.")
  var file = "-"
  @Option(help: "File with your own rows for the built-in list. Its errors are printed first.")
  var rows: String?
  @Flag(help: ArgumentHelp("Measure the check of the first line.", visibility: .hidden))
  var measure = false

  /// The most medicines of one line.
  fileprivate static let most = 200

  func run() throws {
    var list = InteractionList.shipped
    if let rows {
      let source = InteractionSource.load(rows)
      if let problem = source.problem {
        throw CommandFailure(description: "The file of rows was not loaded: \(problem)")
      }
      for refused in source.list.own?.refused ?? [] {
        StandardStream.error.write("line \(refused.line): \(refused.problem.code)\n")
      }
      list = source.list
    }
    if measure { return try measure(list) }
    try AnsweredLine.answerAll(of: file) { line, output in
      Self.answer(line, list, into: &output)
    }
  }

  private static func answer(
    _ line: ArraySlice<UInt8>, _ list: InteractionList, into output: inout [UInt8]
  ) {
    guard let (id, value) = AnsweredLine.read(line, into: &output) else { return }
    guard let question = Question(value) else {
      return AnsweredLine.refuse(
        "Expected medicines: a list of at most \(most) names.", id: id, into: &output)
    }
    var answer = question.answer(list)
    answer["id"] = id
    answer.write(into: &output)
    output.append(UInt8(ascii: "\n"))
  }

  private struct Question {
    let medicines: [String]
    let conditions: Set<String>
    let allergies: [String]

    init?(_ value: JSONValue) {
      func texts(_ name: String) -> [String] {
        (value[name]?.array ?? []).compactMap(\.string)
      }
      medicines = texts("medicines")
      conditions = Set(texts("conditions"))
      allergies = texts("allergies")
      guard (1...InteractionsCommand.most).contains(medicines.count),
        allergies.count <= InteractionsCommand.most
      else { return nil }
    }

    func report(_ list: InteractionList) -> InteractionReport {
      let handbook = Handbook.shipped
      return list.check(
        medicines.map { handbook.substance(id: $0, name: $0, codes: [$0]) },
        conditions: conditions, allergies: allergies.map { handbook.allergy($0) })
    }

    func answer(_ list: InteractionList) -> JSONValue {
      let report = report(list)
      return [
        "warnings": .array(report.warnings.map(Self.json)),
        "unlisted": .array(report.unlisted.map { .string($0) }),
        "unlistedAllergies": .array(report.unlistedAllergies.map { .string($0) }),
        "silentPairs": .number(JSONNumber(report.silentPairs)),
      ]
    }

    private static func json(_ warning: InteractionWarning) -> JSONValue {
      var json: JSONValue = [
        "kind": .string(warning.kind.rawValue), "severity": .string(warning.severity.rawValue),
        "medicines": .array(warning.substances.map { .string($0) }),
      ]
      if !warning.subject.isEmpty { json["about"] = .string(warning.subject) }
      if let row = warning.interaction {
        json["row"] = .string(row.id)
        json["effects"] = .array(
          Handbook.shipped.effects(of: row, in: .en).map { .string($0) })
        json["source"] = .string(row.citation.name)
        json["confirmed"] = .bool(!row.isToBeConfirmed)
      }
      return json
    }
  }

  /// Repeats the check of one line on one processor: `{"checks","seconds","warnings"}`.
  private func measure(_ list: InteractionList) throws {
    var lines = InputLines(try InputFile.open(file))
    guard case .content(let line)? = lines.next(),
      let question = (try? JSONValue(parsing: Array(line))).flatMap(Question.init)
    else { throw CommandFailure(description: "There is no line to measure.") }
    var (checks, warnings) = (0, question.report(list).warnings.count)
    let begin = clock()
    while Double(clock() - begin) < 0.5 * Self.ticks {
      warnings = question.report(list).warnings.count
      checks += 1
    }
    let seconds = Double(clock() - begin) / Self.ticks
    let report: JSONValue = [
      "checks": .number(JSONNumber(checks)), "seconds": .string(String(seconds)),
      "warnings": .number(JSONNumber(warnings)),
    ]
    StandardStream.output.write(report.bytes + [UInt8(ascii: "\n")])
  }

  /// The unit of `clock`: ticks per second (POSIX).
  private static let ticks = 1_000_000.0
}
