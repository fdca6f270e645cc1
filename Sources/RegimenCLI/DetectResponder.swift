// SPDX-License-Identifier: Apache-2.0

import FHIR
import HeartRateMonitoring

/// Answers the lines of `regimen detect`, with one detector for each person.
struct DetectResponder {
  private struct Monitored {
    var detector: any HeartDetector
    var agent = BetaBlocker.other
    var agentName = ""
    var slot = DosingSlot.morning
    var dose = 1.0
  }

  private let make: () -> any HeartDetector
  private var people: [DetectLine.Person: Monitored] = [:]

  init(_ make: @escaping () -> any HeartDetector) { self.make = make }

  /// Appends the answer to a line, and a newline.
  mutating func answer(_ bytes: ArraySlice<UInt8>, into output: inout [UInt8]) {
    if let line = DetectLineScanner.read(bytes) {
      answer(line, into: &output)
      return
    }
    guard let (_, value) = AnsweredLine.read(bytes, into: &output) else { return }
    do throws(DetectLine.Fault) {
      answer(try DetectLine(value), into: &output)
    } catch {
      Self.refuse(error.text, value["p"] ?? .null, value["d"] ?? .null, into: &output)
    }
  }

  private mutating func answer(_ line: DetectLine, into output: inout [UInt8]) {
    // Removed from the table while it changes, to avoid a copy.
    var monitored = people.removeValue(forKey: line.person) ?? Monitored(detector: make())
    defer { people[line.person] = monitored }
    let agent: BetaBlocker
    if let name = line.agent {
      agent = name == monitored.agentName ? monitored.agent : BetaBlocker(name: name)
    } else {
      agent = monitored.agent
    }
    let slot = line.slot.map { DosingSlot(name: $0) } ?? monitored.slot
    let dose = line.dose ?? monitored.dose
    let day = PatientDay(
      day: line.day, agent: agent, slot: slot, dose: dose, readings: line.readings,
      steps: line.steps)
    do throws(HeartDayError) {
      let verdict = try monitored.detector.judge(day)
      if verdict.isAlert, let answer = line.answer { monitored.detector.hear(answer) }
      Self.append(verdict, of: line, to: &output)
    } catch {
      switch error {
      case .notAfter(let last):
        Self.refuse(
          "\"d\" must be after \(last), the last day of this p.", line.person.value,
          .number(JSONNumber(line.day)), into: &output)
      }
      return
    }
    monitored.agent = agent
    monitored.slot = slot
    monitored.dose = dose
    if let name = line.agent { monitored.agentName = name }
  }

  private static func append(
    _ verdict: HeartVerdict, of line: DetectLine, to output: inout [UInt8]
  ) {
    output.append(contentsOf: #"{"p":"#.utf8)
    switch line.person {
    case .number(let number): output.append(contentsOf: String(number).utf8)
    case .text: line.person.value.write(into: &output)
    }
    output.append(contentsOf: #","d":"#.utf8)
    output.append(contentsOf: String(line.day).utf8)
    output.append(
      contentsOf: verdict.isAlert
        ? #","alert":true,"score":"#.utf8 : #","alert":false,"score":"#.utf8)
    let millionths = Int((min(max(verdict.score, 0), 1) * 1e6).rounded())
    if millionths == 1_000_000 {
      output.append(UInt8(ascii: "1"))
    } else {
      output.append(contentsOf: "0.".utf8)
      var place = 100_000
      while place > 0 {
        output.append(UInt8(0x30 + millionths / place % 10))
        place /= 10
      }
    }
    output.append(contentsOf: "}\n".utf8)
  }

  private static func refuse(
    _ text: String, _ person: JSONValue, _ day: JSONValue, into output: inout [UInt8]
  ) {
    let answer = JSONObject([("p", person), ("d", day), ("error", .string(text))])
    JSONValue.object(answer).write(into: &output)
    output.append(UInt8(ascii: "\n"))
  }
}
