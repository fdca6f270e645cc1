// SPDX-License-Identifier: Apache-2.0

import FHIR
import Localization

/// The description of a person's entities, from which Home Assistant creates them (MQTT device discovery).
package struct HomeDiscovery: Sendable {
  /// An entity of a person.
  package enum Entity: String, Sendable, Hashable, CaseIterable {
    case nextDose = "next_dose"
    case due
    case taken
    case missed
    case adherence
    case supply
    case event
    case pressTaken = "press_taken"
    case pressSkip = "press_skip"
    case pressSnooze = "press_snooze"

    /// The press of a button; nil for other entities.
    var press: HomeCommand.Press? {
      switch self {
      case .pressTaken: .taken
      case .pressSkip: .skip
      case .pressSnooze: .snooze
      case .nextDose, .due, .taken, .missed, .adherence, .supply, .event: nil
      }
    }

    /// Returns the name in a language.
    func name(_ localizer: Localizer) -> String {
      localizer.text("home-assistant.entity", ["entity": .text(rawValue)])
    }
  }

  let topics: HomeTopics
  let name: String
  let version: String
  let address: String?
  let localizer: Localizer

  /// Creates the description of a person.
  ///
  /// - Parameters:
  ///   - name: The person's name.
  ///   - version: The version of the program.
  ///   - address: The public address of the server; nil if it has none.
  package init(
    topics: HomeTopics, name: String, version: String, address: String?, localizer: Localizer
  ) {
    self.topics = topics
    self.name = name
    self.version = version
    self.address = address
    self.localizer = localizer
  }

  /// The description as JSON.
  package var json: JSONValue {
    var device: JSONValue = [
      "identifiers": .array([.string(identity)]),
      "name": .string(localizer.text("home-assistant.device", ["name": .text(name)])),
      "manufacturer": "Regimen", "sw_version": .string(version),
    ]
    if let address { device["configuration_url"] = .string(address) }
    return [
      "device": device, "origin": ["name": "Regimen", "sw_version": .string(version)],
      "availability": .array([
        [
          "topic": .string(topics.availability), "payload_available": .string(HomeTopics.online),
          "payload_not_available": .string(HomeTopics.offline),
        ]
      ]),
      "components": .object(JSONObject(Entity.allCases.map { ($0.rawValue, json(of: $0)) })),
    ]
  }

  private var identity: String { "regimen_\(topics.id)" }

  private func json(of entity: Entity) -> JSONValue {
    var object: JSONValue = [
      "unique_id": .string("\(identity)_\(entity.rawValue)"),
      "name": .string(entity.name(localizer)),
      // Home Assistant takes a level that is stated for the whole device, and does not pass it on to the entities. With
      // level 0, the broker would drop presses while the server is away.
      "qos": 1,
    ]
    for (key, value) in entity.press.map(button) ?? shown(entity) { object[key] = value }
    return object
  }

  private func shown(_ entity: Entity) -> [(String, JSONValue)] {
    switch entity {
    case .nextDose:
      sensor("next", icon: "mdi:pill", [("device_class", "timestamp")])
    case .due:
      [
        ("platform", "binary_sensor"), ("icon", "mdi:bell-ring"),
        ("state_topic", .string(topics.state)), ("value_template", "{{ value_json.due }}"),
        ("payload_on", "ON"), ("payload_off", "OFF"),
        ("json_attributes_topic", .string(topics.state)),
        (
          "json_attributes_template",
          """
          {{ {'doses': value_json.due_count, \
          'medicines': value_json.medicines | default([])} | tojson }}
          """
        ),
      ]
    case .taken:
      sensor(
        "taken", icon: "mdi:check",
        [
          ("json_attributes_topic", .string(topics.state)),
          ("json_attributes_template", "{{ {'planned': value_json.planned} | tojson }}"),
        ])
    case .missed: sensor("missed", icon: "mdi:alert")
    case .adherence:
      sensor("adherence", icon: "mdi:percent", [("unit_of_measurement", "%")])
    case .supply:
      sensor(
        "supply_days", icon: "mdi:package-variant",
        [("unit_of_measurement", "d"), ("device_class", "duration")])
    case .event:
      [
        ("platform", "event"), ("icon", "mdi:pill"), ("state_topic", .string(topics.event)),
        ("event_types", .array(HomeEvent.allCases.map { .string($0.rawValue) })),
      ]
    case .pressTaken, .pressSkip, .pressSnooze: []
    }
  }

  private func sensor(
    _ value: String, icon: String, _ others: [(String, JSONValue)] = []
  ) -> [(String, JSONValue)] {
    let common: [(String, JSONValue)] = [
      ("platform", "sensor"), ("icon", .string(icon)), ("state_topic", .string(topics.state)),
      ("value_template", .string("{{ value_json.\(value) }}")),
    ]
    return common + others
  }

  /// Returns a button, which keeps the key of the due doses as an attribute and repeats it when pressed.
  private func button(_ press: HomeCommand.Press) -> [(String, JSONValue)] {
    let icon =
      switch press {
      case .taken: "mdi:check-circle"
      case .skip: "mdi:debug-step-over"
      case .snooze: "mdi:alarm-snooze"
      }
    return [
      ("platform", "button"), ("icon", .string(icon)), ("command_topic", .string(topics.command)),
      ("payload_press", .string(press.rawValue)),
      (
        "command_template",
        """
        {"press": "{{ value }}", "dose_key": "{{ this.attributes.get('dose_key', '') }}"}
        """
      ), ("json_attributes_topic", .string(topics.state)),
      ("json_attributes_template", "{{ {'dose_key': value_json.dose_key} | tojson }}"),
    ]
  }
}
