// SPDX-License-Identifier: Apache-2.0

import FHIR
import Reminders

/// The arms with what they add, and the blocks of the allocation.
extension StudyReader {
  /// The switches that an arm may have.
  private static let switches: Set<String> = [
    "moreReminders", "channels", "family", "earlyNotice", "heartRateQuestions",
  ]
  /// The most further notifications of an arm, and the most messages on other channels.
  private static let mostReminders = 3
  /// The minutes after which a step can follow.
  private static let stepMinutes = 1...EscalationPolicy.maximumMinutes

  /// Reads the arms.
  mutating func arms(_ value: JSONValue?, _ place: JSONPlace) -> [StudyArm] {
    var used: Set<String> = []
    var arms: [StudyArm] = []
    for (index, item) in list(value, place, 2...6).enumerated() {
      let here = place.item(index)
      guard let object = self.object(item, here, ["id", "weight", "title", "changes"]) else {
        continue
      }
      let id = self.id(object["id"], here.member("id"), used: &used)
      let weight = object["weight"].map { number($0, here.member("weight"), 1...4) } ?? 1
      let title = text(object["title"], here.member("title"))
      let changes = self.changes(object["changes"], here.member("changes"))
      if let id, let weight, let title {
        arms.append(StudyArm(id: id, weight: weight, title: title, changes: changes))
      }
    }
    return arms
  }

  /// Reads what an arm adds; a switch that could take something away is refused, whatever its value.
  private mutating func changes(_ value: JSONValue?, _ place: JSONPlace) -> StudyArmChanges {
    var changes = StudyArmChanges()
    guard let object = self.object(value, place, Self.switches, unknown: .safety) else {
      return changes
    }
    if let reminders = object["moreReminders"] {
      let here = place.member("moreReminders")
      let items = list(reminders, here, 1...Self.mostReminders, missing: .safety)
      for (index, item) in items.enumerated() {
        guard let minutes = number(item, here.item(index), Self.stepMinutes) else { continue }
        if let last = changes.moreReminders.last, last >= minutes {
          refuse(here.item(index), .value, "The minutes must grow.")
        }
        changes.moreReminders.append(minutes)
      }
    }
    if let channels = object["channels"] {
      changes.channels = self.channels(channels, place.member("channels"))
    }
    if let minutes = object["family"] {
      changes.family = number(minutes, place.member("family"), Self.stepMinutes, rule: .safety)
    }
    if let notice = object["earlyNotice"] {
      changes.earlyNotice = number(
        notice, place.member("earlyNotice"), 5...60, rule: .safety)
    }
    if let questions = object["heartRateQuestions"] {
      let here = place.member("heartRateQuestions")
      if let text = string(questions, here) {
        if text == "on" {
          changes.asksHeartRate = true
        } else {
          refuse(
            here, .safety,
            "An arm can only switch the questions on. Without the member, a person's choice stays.")
        }
      }
    }
    return changes
  }

  /// Reads the messages on other channels.
  private mutating func channels(
    _ value: JSONValue, _ place: JSONPlace
  ) -> [StudyArmChanges.ChannelStep] {
    var steps: [StudyArmChanges.ChannelStep] = []
    let items = list(value, place, 1...Self.mostReminders, missing: .safety)
    for (index, item) in items.enumerated() {
      let here = place.item(index)
      guard let object = self.object(item, here, ["channel", "minutes"], unknown: .safety)
      else { continue }
      let minutes = number(object["minutes"], here.member("minutes"), Self.stepMinutes)
      guard let name = string(object["channel"], here.member("channel")) else { continue }
      let possible = StudyArmChanges.possibleChannels
      guard let channel = possible.first(where: { $0.rawValue == name }) else {
        let known = possible.map(\.rawValue).joined(separator: ", ")
        refuse(here.member("channel"), .value, "Channels that an arm can use: \(known).")
        continue
      }
      guard let minutes else { continue }
      let step = StudyArmChanges.ChannelStep(channel: channel, minutes: minutes)
      if steps.contains(step) {
        refuse(here, .duplicate, "The message is listed twice.")
      } else {
        steps.append(step)
      }
    }
    return steps
  }

  /// Reads the sizes of the blocks, each of which holds the arms in the ratio of their weights.
  mutating func blocks(
    _ value: JSONValue?, _ place: JSONPlace, _ arms: [StudyArm]
  ) -> [Int] {
    guard let object = self.object(value, place, ["method", "blocks"]) else { return [] }
    let methodPlace = place.member("method")
    if let method = string(object["method"], methodPlace), method != "blocks" {
      refuse(methodPlace, .value, "The only method is \"blocks\".")
    }
    let total = max(1, arms.reduce(0) { $0 + $1.weight })
    let here = place.member("blocks")
    var sizes: [Int] = []
    for (index, item) in list(object["blocks"], here, 1...5).enumerated() {
      guard let size = number(item, here.item(index), 2...60) else { continue }
      guard size.isMultiple(of: total) else {
        refuse(
          here.item(index), .blocks,
          "A block must be a multiple of \(total), the sum of the weights.")
        continue
      }
      sizes.append(size)
    }
    return sizes
  }
}
