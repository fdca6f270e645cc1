// SPDX-License-Identifier: Apache-2.0

import FHIR
import Localization
import Scheduling
import Testing

@testable import HomeAutomation

/// The discovery document, compared with the keys that Home Assistant documents for device discovery.
@Suite struct HomeDiscoveryTests {
  static let topics = HomeTopics(prefix: "regimen", discoveryPrefix: "homeassistant", id: "Ab-_9")

  private static func json(_ language: Language = .en) -> JSONValue {
    HomeDiscovery(
      topics: topics, name: "Ada", version: "1.2.3", address: "https://regimen.example",
      localizer: .of(language)
    ).json
  }

  /// The keys of every entity, and those of each platform.
  private static let common: Set<String> = [
    "platform", "unique_id", "name", "icon", "qos", "json_attributes_topic",
    "json_attributes_template",
  ]
  private static let ofPlatform: [String: Set<String>] = [
    "sensor": ["state_topic", "value_template", "device_class", "unit_of_measurement"],
    "binary_sensor": ["state_topic", "value_template", "payload_on", "payload_off"],
    "button": ["command_topic", "command_template", "payload_press"],
    "event": ["state_topic", "event_types"],
  ]

  @Test func `the topic names a device, and only its id varies`() {
    #expect(Self.topics.discovery == "homeassistant/device/regimen-Ab-_9/config")
    #expect(Self.topics.state == "regimen/Ab-_9/state")
    #expect(HomeTopics.id(ofCommand: Self.topics.command, prefix: "regimen") == "Ab-_9")
    for topic in [
      "regimen//command", "regimen/command", "regimen/a/b/command", "other/a/command",
      "regimen/a/command/", "regimen/a/state", "",
    ] {
      #expect(HomeTopics.id(ofCommand: topic, prefix: "regimen") == nil, "\(topic)")
    }
  }

  @Test func `the document has the keys of device discovery`() throws {
    let json = Self.json()
    #expect(json.object?.keys == ["device", "origin", "availability", "components"])
    #expect(json["device"]?["identifiers"]?[0]?.string == "regimen_Ab-_9")
    #expect(json["device"]?["name"]?.string == "Medicines of Ada")
    #expect(json["device"]?["configuration_url"]?.string == "https://regimen.example")
    #expect(json["origin"]?["name"]?.string == "Regimen")
    #expect(json["origin"]?["sw_version"]?.string == "1.2.3")
    let availability = try #require(json["availability"]?[0])
    #expect(availability["topic"]?.string == "regimen/status")
    #expect(availability["payload_available"]?.string == "online")
    #expect(availability["payload_not_available"]?.string == "offline")
  }

  @Test func `every entity has the keys of its platform and an id of its own`() throws {
    let components = try #require(Self.json()["components"]?.object)
    #expect(components.count == HomeDiscovery.Entity.allCases.count)
    var ids: Set<String> = []
    var platforms: [String: Int] = [:]
    for (name, entity) in components {
      let platform = try #require(entity["platform"]?.string)
      let allowed = Self.common.union(try #require(Self.ofPlatform[platform]))
      let keys = Set(entity.object?.keys ?? [])
      #expect(keys.isSubset(of: allowed), "\(name): \(keys.subtracting(allowed))")
      #expect(keys.isSuperset(of: ["platform", "unique_id", "name", "qos"]), "\(name)")
      // Home Assistant does not pass on a level of the whole device.
      #expect(entity["qos"]?.number?.integer == 1, "\(name)")
      if platform == "button" {
        #expect(entity["command_topic"]?.string == Self.topics.command)
      } else {
        let topic = platform == "event" ? Self.topics.event : Self.topics.state
        #expect(entity["state_topic"]?.string == topic)
      }
      ids.insert(try #require(entity["unique_id"]?.string))
      platforms[platform, default: 0] += 1
    }
    #expect(ids.count == HomeDiscovery.Entity.allCases.count)
    #expect(platforms == ["sensor": 5, "binary_sensor": 1, "event": 1, "button": 3])
    #expect(components["next_dose"]?["device_class"]?.string == "timestamp")
    #expect(components["adherence"]?["unit_of_measurement"]?.string == "%")
    #expect(
      components["event"]?["event_types"]?.array?.compactMap(\.string)
        == ["due", "taken", "skipped", "snoozed", "missed", "question"])
  }

  @Test func `templates read what the state has`() throws {
    let state = HomeState.json(
      HomeStateTests.day, zone: .utc, namesMedicine: true, key: "key")
    let known = Set(state.object?.keys ?? [])
    for (_, entity) in try #require(Self.json()["components"]?.object) {
      for (_, value) in entity.object ?? JSONObject() {
        for match in (value.string ?? "").matches(of: /value_json\.(\w+)/) {
          #expect(known.contains(String(match.1)), "\(match.1)")
        }
      }
    }
  }

  @Test func `a button sends what a press is`() throws {
    for press in HomeCommand.Press.allCases {
      let button = try #require(
        Self.json()["components"]?["press_\(press == .taken ? "taken" : press.rawValue)"])
      let template = try #require(button["command_template"]?.string)
      let sent = template.replacing("{{ value }}", with: button["payload_press"]?.string ?? "")
        .replacing("{{ this.attributes.get('dose_key', '') }}", with: "a-key")
      let command = HomeCommand(payload: Array(sent.utf8))
      #expect(command == HomeCommand(press, doseKey: "a-key"))
    }
  }

  @Test(arguments: Language.allCases)
  func `names are in the person's language, and differ`(language: Language) throws {
    let components = try #require(Self.json(language)["components"]?.object)
    let names = components.compactMap { $0.value["name"]?.string }
    #expect(Set(names).count == HomeDiscovery.Entity.allCases.count, "\(names)")
    #expect(names.allSatisfy { !$0.isEmpty && !$0.contains("{") })
  }
}
