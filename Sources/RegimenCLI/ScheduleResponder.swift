// SPDX-License-Identifier: Apache-2.0

import FHIR
import Plans
import Scheduling
import TimeZones

/// Answers one line of `regimen schedule`.
struct ScheduleResponder {
  let zones: ZoneCatalog
  let isExplained: Bool

  /// Appends the answer to a line, and a newline.
  func answer(_ line: ArraySlice<UInt8>, into output: inout [UInt8]) {
    guard let (id, value) = AnsweredLine.read(line, into: &output) else { return }
    let begin = output.count
    do throws(TimingError) {
      let node = TimingNode(value)
      let question = try ScheduleQuestion(node) { try? zones.zone($0) }
      let doses = try question.answer().wholeSeconds
      append(#"{"id":"#, &output)
      id.write(into: &output)
      appendInstants(doses, question, &output)
      if question.rules.contains(where: { $0.dose != nil }) {
        append(#","doses":"#, &output)
        let amounts = doses.occurrences.indices.map { index in
          question.rules[doses.rule(of: index)].dose.map { JSONValue($0) } ?? .null
        }
        JSONValue.array(amounts).write(into: &output)
      }
      if isExplained {
        append(#","explanations":"#, &output)
        Self.explanations(doses, question).write(into: &output)
        if let before = value["before"], before.object != nil {
          append(#","changes":"#, &output)
          try changes(node, TimingNode(before), question, doses).write(into: &output)
        }
      }
      append("}\n", &output)
    } catch {
      output.removeSubrange(begin...)
      AnsweredLine.refuse(error.text, id: id, into: &output)
    }
  }

  private func appendInstants(
    _ doses: ScheduleAnswer, _ question: ScheduleQuestion,
    _ output: inout [UInt8]
  ) {
    var writer = InstantWriter(question.zone)
    append(#","instants":["#, &output)
    output.reserveCapacity(output.count + doses.occurrences.count * 28)
    for (index, dose) in doses.occurrences.enumerated() {
      output.append(contentsOf: index == 0 ? "\"".utf8 : ",\"".utf8)
      writer.append(dose.instant, to: &output)
      output.append(UInt8(ascii: "\""))
    }
    output.append(UInt8(ascii: "]"))
  }

  private static func explanations(
    _ doses: ScheduleAnswer, _ question: ScheduleQuestion
  ) -> JSONValue {
    .array(
      doses.occurrences.enumerated().map { index, dose in
        let reasons = question.rules[doses.rule(of: index)].rule.reasons(
          for: dose, in: question.zone, rhythm: question.rhythm, choices: question.choices)
        return .array(
          reasons.map { reason in
            .object(
              JSONObject([
                ("rule", .number(JSONNumber(reason.rule))), ("moved", .bool(reason.isMove)),
                ("text", .string(reason.text)),
              ]))
          })
      })
  }

  /// Returns the differences from the answer to the same line with the members of `before`.
  private func changes(
    _ node: TimingNode, _ before: TimingNode, _ question: ScheduleQuestion,
    _ doses: ScheduleAnswer
  ) throws(TimingError) -> JSONValue {
    let old = try ScheduleQuestion(node.overridden(by: before)) { try? zones.zone($0) }
    let changes = DosePreview.changes(
      from: try old.answer().occurrences, to: doses.occurrences)
    return .array(
      changes.map { change in
        switch change {
        case .moved(let id, let from, let to):
          Self.change("moved", id, [("from", old.zone, from), ("to", question.zone, to)])
        case .added(let id, let instant):
          Self.change("added", id, [("to", question.zone, instant)])
        case .removed(let id, let instant):
          Self.change("removed", id, [("from", old.zone, instant)])
        }
      })
  }

  private static func change(
    _ name: String, _ id: OccurrenceID, _ instants: [(String, Zone, Instant)]
  ) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("change", .string(name)), ("dose", .string(id.text)),
    ]
    for (name, zone, instant) in instants {
      members.append((name, .string(zone.text(of: instant))))
    }
    return .object(JSONObject(members))
  }

  private func append(_ text: String, _ output: inout [UInt8]) {
    output.append(contentsOf: text.utf8)
  }
}

extension TimingNode {
  /// Returns the object with the members of another one; a timing, a rule or dosages replace each
  /// other.
  fileprivate func overridden(by other: TimingNode) -> TimingNode {
    guard case .object(let own) = self, case .object(let new) = other else { return self }
    let kinds = ["timing", "rule", "dosages"]
    let isOther = kinds.contains { other[$0] != nil }
    let kept = own.filter { member in
      if other[member.name] != nil { return false }
      return !(isOther && kinds.contains(member.name))
    }
    return .object(kept + new)
  }
}
