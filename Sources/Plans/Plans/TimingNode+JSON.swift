// SPDX-License-Identifier: Apache-2.0
import FHIR
import Scheduling

extension TimingNode {
  /// Converts a JSON value to the form that schedules are read from.
  package init(_ value: JSONValue) {
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
}

extension JSONValue {
  /// Converts a node back to the JSON value that was read.
  package init(_ node: TimingNode) {
    switch node {
    case .null: self = .null
    case .flag(let flag): self = .bool(flag)
    case .number(let text): self = JSONNumber(text: text).map { .number($0) } ?? .string(text)
    case .text(let text): self = .string(text)
    case .list(let items): self = .array(items.map { JSONValue($0) })
    case .object(let members):
      self = .object(JSONObject(members.map { ($0.name, JSONValue($0.value)) }))
    }
  }
}
