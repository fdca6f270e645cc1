// SPDX-License-Identifier: Apache-2.0

import MQTT
import Testing

@testable import HomeAutomation

/// The topics of devices in the home.
@Suite struct DeviceTopicsTests {
  @Test func `a device reports at one topic and is answered at another`() throws {
    let topics = DeviceTopics(prefix: "home/regimen", address: "abc")
    #expect(topics.events == "home/regimen/device/abc/events")
    #expect(topics.answers == "home/regimen/device/abc/answers")
    #expect(DeviceTopics(ofEvents: topics.events, prefix: "home/regimen") == topics)
  }

  @Test func `other topics are not those of reports`() {
    let topics = [
      "", "regimen", "regimen/device", "regimen/device//events", "regimen/device/abc/answers",
      "regimen/device/abc/events/more", "regimen/device/a/b/events", "other/device/abc/events",
      "regimen2/device/abc/events", "regimen/abc/command", "regimen/devices/abc/events",
    ]
    for topic in topics {
      #expect(DeviceTopics(ofEvents: topic, prefix: "regimen") == nil, "\(topic)")
    }
  }

  @Test func `the broker subscribes to reports, which are no presses`() throws {
    let address = try #require(MQTTAddress("mqtt://127.0.0.1"))
    let broker = HomeBroker(
      MQTTSettings(address: address, clientID: "test"), prefix: "regimen",
      discoveryPrefix: "homeassistant")
    let filter = DeviceTopics.allEvents("regimen")
    #expect(broker.settings.subscriptions.contains(filter))
    let topics = DeviceTopics(prefix: "regimen", address: "abc")
    #expect(MQTTTopic.matches(topics.events, filter: filter))
    #expect(!MQTTTopic.matches(topics.answers, filter: filter))
    #expect(!MQTTTopic.matches(topics.events, filter: HomeTopics.commands("regimen")))
    // A report with the most events has room.
    #expect(broker.settings.largestPayload == 16_384)
  }
}
