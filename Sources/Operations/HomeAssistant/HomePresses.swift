// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import FHIR
import HomeAutomation
import Localization
import Logging
import MQTT
import People
import Plans
import Presentation
import Reminders
import Storage
import Web

/// Answers the due doses when a button in Home Assistant is pressed.
///
/// A press must repeat the key that was last published for its person. The key stands for the due doses in their
/// present versions, so a press that comes twice, or late, answers nothing.
struct HomePresses: HomeMessageHandler {
  let environment: ServerEnvironment
  let broker: HomeBroker
  let directory: HomeDirectory
  /// Publishes an event of a person.
  let announce: @Sendable (HomeEvent, HomeTopics) -> Void

  var filter: String { HomeTopics.commands(broker.prefix) }

  func take(_ message: MQTTMessage, mayHaveWaited: Bool) async {
    environment.homeMetrics.received(await outcome(of: message))
  }

  /// Processes a message and returns what became of it.
  func outcome(of message: MQTTMessage) async -> HomeMetrics.Outcome {
    guard !message.isRetained,
      let id = HomeTopics.id(ofCommand: message.topic, prefix: broker.prefix),
      let entry = directory.entry(id), let command = HomeCommand(payload: message.payload)
    else { return .refused }
    // Most repeated and old presses end here, without the database. After a start the key is not known yet: the
    // broker has kept presses for the server, and the database decides.
    if let known = entry.doseKey, known != command.doseKey { return .stale }
    do {
      let outcome = try await answer(command, entry.link)
      if outcome == .question { announce(.question, broker.topics(of: id)) }
      return outcome
    } catch {
      environment.logger.error(
        "a press in Home Assistant was not processed",
        metadata: ["type": .string("\(type(of: error))")])
      return .failed
    }
  }

  private func answer(
    _ command: HomeCommand, _ link: HomeLink
  ) async throws -> HomeMetrics.Outcome {
    let environment = self.environment
    let now = environment.now()
    let recorded: Int?
    do {
      recorded = try await environment.database.write { writer in
        try Self.record(command, link, environment: environment, now: now, in: writer)
      }
    } catch AnswerError.confirm {
      return .question
    }
    guard let recorded else { return .stale }
    environment.live.changed(link.patient)
    return recorded > 0 ? .answered : .question
  }

  /// Records the answer for the due doses and returns their number; nil if the press is not for them.
  private static func record(
    _ command: HomeCommand, _ link: HomeLink, environment: ServerEnvironment, now: Timestamp,
    in writer: any SQLWriter
  ) throws -> Int? {
    let accounts = environment.accounts
    let links = try HomeLinkStore.all(of: link.patient, at: now, in: writer)
    guard links.contains(where: { $0.place == link.place }),
      let holder = try accounts.holder(link.account, of: link.patient, at: now, in: writer)
    else { return nil }
    let today = try DoseQueries.today(
      patient: link.patient, limits: TodayLimits(), now: now, zones: environment.zones, in: writer)
    let day = HomeDay(today, now: now, adherence: nil, supplyDays: nil)
    let key = HomeState.doseKey(day, place: link.place, cipher: accounts.cipher)
    guard !key.isEmpty, key == command.doseKey else { return nil }
    let language = try PeopleQueries.language(link.patient, in: writer) ?? .en
    let byName = Localizer.of(language).text(
      "home-assistant.answered-by", ["name": .text(holder.displayName)])
    let actor = Actor(
      accountID: link.account, kind: .token, rights: [link.patient: holder.right], scope: .own)
    let context = environment.commandContext(for: actor, byName: byName, now: now)
    let minutes = command.press.action == .later ? ActionLinks.laterMinutes : nil
    return try DueAnswers(command.press.action, to: day.due.map(\.id), minutes: minutes)
      .record(of: link.patient, context: context, in: writer)
  }
}
