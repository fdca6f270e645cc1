// SPDX-License-Identifier: Apache-2.0

import FHIR
import Scheduling
import Testing

extension TimingNode {
  init(_ value: JSONValue) {
    switch value {
    case .null: self = .null
    case .bool(let flag): self = .flag(flag)
    case .number(let number): self = .number(number.text)
    case .string(let text): self = .text(text)
    case .array(let items): self = .list(items.map { TimingNode($0) })
    case .object(let object):
      self = .object(object.map { TimingMember($0.key, TimingNode($0.value)) })
    }
  }

  init(json: String) throws {
    self.init(try JSONValue(parsing: Array(json.utf8)))
  }
}

/// A question about a Timing or a rule, in the form that the command line accepts.
struct Asked {
  let question: ScheduleQuestion

  init(_ json: String) throws {
    question = try ScheduleQuestion(try TimingNode(json: json)) { try? zone($0) }
  }

  /// Asks for a Timing with this `repeat` from one date up to, but not including, another.
  init(
    repeat text: String, in identifier: String = "Europe/Oslo", from: String, until: String,
    more: String = ""
  ) throws {
    try self.init(
      #"{"timing":{"repeat":{\#(text)}},"tz":"\#(identifier)","start":"\#(from)","end":"\#(until)"\#(more)}"#
    )
  }

  var texts: [String] {
    get throws { try question.answer().occurrences.map { question.zone.text(of: $0.instant) } }
  }

  /// The instants as local dates and times, such as "03-01 08:00".
  var short: [String] {
    get throws {
      try texts.map { text in
        let characters = Array(text)
        return String(characters[5..<10]) + " " + String(characters[11..<16])
      }
    }
  }
}

/// Returns the error of a question; nil if it has an answer.
func errorText(_ json: String) throws -> String? {
  let node = try TimingNode(json: json)
  do throws(TimingError) {
    _ = try ScheduleQuestion(node) { try? zone($0) }.answer()
    return nil
  } catch {
    return error.text
  }
}
