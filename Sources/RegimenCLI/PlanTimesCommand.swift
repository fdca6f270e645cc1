// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FHIR
import Foundation
import Identifiers
import Knowledge
import People
import Plans
import Prescriptions
import Scheduling
import Storage
import TimeZones

/// The command `regimen plan-times`: proposes the fewest times of day for some medicines.
struct PlanTimesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan-times",
    abstract: "Proposes the fewest times of day that keep meals and gaps between medicines.",
    discussion: """
      Reads one JSON object per line: {"id","medicines":[{"name","times":["08:00"]}]} and answers \
      {"id","before":[times],"after":[times],"medicines":[{"name","times"}],"unkept":[names of pairs],\
      "exhaustive"} or {"id","error"}. Gaps between medicines come from the built-in list. A proposal, \
      not medical advice. Needs no data folder and no server.
      """)

  @Argument(help: "The file, or - for standard input.")
  var file = "-"
  @Flag(help: ArgumentHelp("Measure the planning of the first line.", visibility: .hidden))
  var measure = false

  /// The most medicines of one line.
  private static let most = 200
  /// The number of days of doses for a measurement.
  private static let days = 14

  func run() throws {
    if measure { return try measureFirst() }
    try AnsweredLine.answerAll(of: file) { line, output in
      guard let (id, value) = AnsweredLine.read(line, into: &output) else { return }
      guard let question = Question(value) else {
        return AnsweredLine.refuse(
          "Expected medicines: a list of at most \(Self.most), each with a name and times.", id: id,
          into: &output)
      }
      var answer = question.answer()
      answer["id"] = id
      answer.write(into: &output)
      output.append(UInt8(ascii: "\n"))
    }
  }

  private struct Question {
    let medicines: [(name: String, times: [ClockTime])]

    init?(_ value: JSONValue) {
      let all = value["medicines"]?.array ?? []
      medicines = all.compactMap { medicine in
        let texts = (medicine["times"]?.array ?? []).compactMap(\.string)
        let times = Set(texts.compactMap { ClockTime(text: $0) }).sorted()
        guard let name = medicine["name"]?.string, !times.isEmpty, times.count == texts.count,
          times.allSatisfy({ $0.second == 0 })
        else { return nil }
        return (name, times)
      }
      guard (1...PlanTimesCommand.most).contains(all.count), medicines.count == all.count else {
        return nil
      }
    }

    /// Looks up names, finds the hours between medicines, and plans the times.
    func propose() -> IntakeProposal {
      let list = InteractionList.shipped
      let substances = medicines.enumerated().map { index, medicine in
        Handbook.shipped.substance(id: String(index), name: medicine.name, codes: [medicine.name])
      }
      return SimplificationPlanner.propose(
        IntakeSituation(
          medicines: medicines.enumerated().map { index, medicine in
            IntakeMedicine(
              id: PlanID(String(index)), name: medicine.name,
              intakes: medicine.times.map { IntakeTime(minute: $0.secondsOfDay / 60) },
              way: .times)
          }, list: list, substances: substances))
    }

    func answer() -> JSONValue {
      let proposal = propose()
      func texts(_ minutes: [Int]) -> JSONValue {
        .array(
          minutes.compactMap { ClockTime(secondsOfDay: $0 * 60) }
            .map { .string(String($0.text.prefix(5))) })
      }
      let after = proposal.after.medicines.sorted {
        (Int($0.id.text) ?? 0) < (Int($1.id.text) ?? 0)
      }
      return [
        "before": texts(proposal.timesBefore), "after": texts(proposal.timesAfter),
        "medicines": .array(
          after.map { ["name": .string($0.name), "times": texts($0.minutes)] }),
        "unkept": .array(
          proposal.findings.filter { !$0.isMended }.map { finding in
            .array(proposal.medicines(of: finding).map { .string($0) })
          }),
        "exhaustive": .bool(proposal.isExhaustive),
      ]
    }

    /// Returns the doses of two weeks under a proposal.
    func doses(_ proposal: IntakeProposal, zone: Zone, from: Timestamp) -> Int {
      proposal.after.medicines.reduce(0) { count, medicine in
        let times = medicine.minutes.compactMap { ClockTime(secondsOfDay: $0 * 60) }
        let draft = PlanDraft(
          medicineName: medicine.name, doseValue: "1", doseUnit: "tablet",
          schedule: .times(
            times.map { DraftTime(time: $0) }, weekdays: Set(Weekday.allCases)),
          start: zone.date(at: Instant(milliseconds: from.milliseconds)))
        return count
          + PlanQueries.preview(
            draft, from: from, days: PlanTimesCommand.days, zone: zone, rhythm: .standard
          ).count
      }
    }
  }

  /// Repeats the first line on one processor: `{"plans","seconds","doses","before","after"}`.
  private func measureFirst() throws {
    var lines = InputLines(try InputFile.open(file))
    guard case .content(let line)? = lines.next(),
      let question = (try? JSONValue(parsing: Array(line))).flatMap(Question.init)
    else { throw CommandFailure(description: "There is no line to measure.") }
    let zone = try ZoneCatalog().zone("Europe/Oslo")
    // Covers a clock change.
    let from = Timestamp(milliseconds: 1_774_000_000_000)
    var (plans, doses) = (0, 0)
    var proposal = question.propose()
    let begin = clock()
    while Double(clock() - begin) < 0.5 * Self.ticks {
      proposal = question.propose()
      doses = question.doses(proposal, zone: zone, from: from)
      plans += 1
    }
    let seconds = Double(clock() - begin) / Self.ticks
    let report: JSONValue = [
      "plans": .number(JSONNumber(plans)), "seconds": .string(String(seconds)),
      "doses": .number(JSONNumber(doses)),
      "before": .number(JSONNumber(proposal.timesBefore.count)),
      "after": .number(JSONNumber(proposal.timesAfter.count)),
      "exhaustive": .bool(proposal.isExhaustive),
    ]
    StandardStream.output.write(report.bytes + [UInt8(ascii: "\n")])
  }

  /// The unit of `clock`: ticks per second (POSIX).
  private static let ticks = 1_000_000.0
}
