// SPDX-License-Identifier: Apache-2.0

import Access
import CareTeam
import Dosing
import FHIR
import HeartRate
import HummingbirdCore
import Identifiers
import ImportPages
import NIOCore
import People
import Prescriptions
import Presentation
import Reminders
import Scheduling
import ServiceLifecycle
import Storage
import Web

/// An open event stream: the changes, read from the database after each wake.
struct EventStream: Sendable {
  let environment: ServerEnvironment
  let subscription: LiveEvents.Subscription
  /// The current rights of the listener; nil once the session or token has ended.
  let rights: @Sendable () async throws -> [Authorization]?
  /// The end of an earlier stream.
  let resume: ChangeCursor?

  /// The milliseconds within which deliveries that were committed late are still sent.
  private static let overlap: Int64 = 2_000
  /// The most deliveries per patient and read.
  private static let mostDeliveries = 500
  /// The number of people up to which each wake reads everything; with more, as on a doctor's
  /// panel, it reads only those named, and everyone with each tick.
  private static let fewPatients = 20
  /// The milliseconds after which a client reconnects.
  private static let retry = 2_000

  /// Writes until the listener's session ends, the client disconnects, the server stops, or the
  /// time limit of the stream is reached.
  func run(_ writer: inout some ResponseBodyWriter) async throws {
    let seconds = environment.settings.eventCommentSeconds
    let ticker = Task { [live = environment.live, subscription] in
      while !Task.isCancelled {
        try? await Task.sleep(for: .seconds(seconds))
        live.wake(subscription)
      }
    }
    defer {
      ticker.cancel()
      environment.live.close(subscription)
    }
    let continuation = subscription.continuation
    try await withGracefulShutdownHandler {
      try await tell(&writer)
    } onGracefulShutdown: {
      continuation.finish()
    }
  }

  private func tell(_ writer: inout some ResponseBodyWriter) async throws {
    let opened = environment.uptime()
    var spoken = opened
    var told: [String: JSONValue] = [:]
    var cursor = try await start()
    try await writer.write(EventText.greeting(id: cursor.text, retryMilliseconds: Self.retry))
    if resume != nil { subscription.continuation.yield() }
    // Half of the interval: the ticker that wakes it may be a little early.
    let silence = UInt64(environment.settings.eventCommentSeconds) * 500_000_000
    let life = UInt64(environment.settings.eventStreamSeconds) * 1_000_000_000
    if life == 0 { subscription.continuation.finish() }
    for await _ in subscription.wakes {
      guard let rights = try await rights() else { return }
      environment.live.follow(Set(rights.map(\.patient)), in: subscription)
      let changed = environment.live.taken(by: subscription)
      if let changed, rights.count > Self.fewPatients {
        let few = rights.filter { changed.contains($0.patient) }
        // The cursor stays at the last read of everyone, so that no change is missed; recent
        // changes may be sent again.
        let news = try await news(since: cursor, told: told, few)
        for event in news.events {
          try await writer.write(EventText.event(event.name, event.data, id: nil))
        }
        if !news.events.isEmpty { spoken = environment.uptime() }
        continue
      }
      let news = try await news(since: cursor, told: told, rights)
      for (index, event) in news.events.enumerated() {
        // The id comes with the last event: a client that is cut off earlier asks for all of them
        // again.
        let isLast = index == news.events.count - 1
        try await writer.write(
          EventText.event(event.name, event.data, id: isLast ? news.cursor.text : nil))
      }
      cursor = news.cursor
      told = news.told
      if news.isCut { subscription.continuation.yield() }
      let now = environment.uptime()
      if !news.events.isEmpty {
        spoken = now
      } else if now &- spoken >= silence {
        try await writer.write(EventText.comment)
        spoken = now
      }
      if now &- opened >= life { return }
    }
  }

  private func start() async throws -> ChangeCursor {
    let now = environment.now()
    let latest = try await environment.database.read { try DoseQueries.cursor(at: now, in: $0) }
    guard let resume else { return latest }
    // A cursor from another database, or from a clock that was ahead, is ignored.
    return ChangeCursor(
      sequence: min(resume.sequence, latest.sequence),
      at: Timestamp(
        milliseconds: max(min(resume.at.milliseconds, now.milliseconds), oldest(now))))
  }

  /// Returns the oldest cursor, a day ago: a client that was away for longer reads the lists.
  private func oldest(_ now: Timestamp) -> Int64 {
    now.adding(milliseconds: -24 * 3_600_000).milliseconds
  }

  private struct News: Sendable {
    var events: [(name: String, data: JSONValue)] = []
    var cursor: ChangeCursor
    /// The deliveries sent within the overlap, in their state then.
    var told: [String: JSONValue] = [:]
    var isCut = false
  }

  private func news(
    since cursor: ChangeCursor, told: [String: JSONValue], _ rights: [Authorization]
  ) async throws -> News {
    let now = environment.now()
    let (zones, accounts) = (environment.zones, environment.accounts)
    let (news, counts) = try await environment.database.read { reader -> (News, [Int]) in
      var news = News(cursor: try DoseQueries.cursor(at: now, in: reader))
      var counts: [Int] = []
      for right in rights {
        let patient = right.patient
        // Reports that there is a message, never its text.
        if let standing = ChatStanding.of(right.actor, patient: patient) {
          for message in try ChatReader.changed(
            after: cursor.at.adding(milliseconds: -Self.overlap), patient: patient,
            member: standing.side == .member ? right.actor.accountID : nil,
            limit: Self.mostDeliveries, in: reader)
          {
            let key = "message \(message.id) \(message.changed.milliseconds)"
            let data: JSONValue = [
              "id": .string(message.id.text), "patient": .string(patient.text),
            ]
            news.told[key] = data
            if told[key] != data { news.events.append(("message", data)) }
          }
        }
        let before = news.events.count
        guard try PeopleQueries.exists(patient, in: reader) else {
          counts.append(0)
          continue
        }
        if right.may("Observation") {
          // Answers reveal intakes, which are shared separately.
          let showsAnswer = right.may("DoseState")
          for warning in try HeartRateQueries.changed(
            after: cursor.at.adding(milliseconds: -Self.overlap), patient: patient,
            limit: Self.mostDeliveries, in: reader)
          {
            let key = "warning \(warning.id)"
            let data = WarningJSON.json(
              warning, showsAnswer: showsAnswer,
              showsProbability: HeartRateCommands.isProvider(patient, right.actor))
            news.told[key] = data
            if told[key] != data { news.events.append(("warning", data)) }
          }
        }
        for notice in try CaregiverMessageQueries.changed(
          after: cursor.at.adding(milliseconds: -Self.overlap), patient: patient,
          account: right.actor.accountID, right: right.actor.rights[patient],
          limit: Self.mostDeliveries, in: reader)
        {
          // The text is on the page and in the list, never here.
          let key = "message \(notice.id) \(notice.more)"
          let data: JSONValue = ["id": .string(notice.id), "patient": .string(patient.text)]
          news.told[key] = data
          if told[key] == nil, notice.seen == nil { news.events.append(("message", data)) }
        }
        guard right.may("Dose") else {
          counts.append(news.events.count - before)
          continue
        }
        let writer = DoseJSON(
          zone: try PeopleQueries.zone(patient, zones: zones, in: reader))
        // First, so that a client that reads the doses of a new plan knows their source.
        let proposals = try ProposalQueries.changed(since: cursor, patient: patient, in: reader)
        news.events += proposals.map { ("proposal", ProposalJSON(zone: writer.zone).json($0)) }
        let doses = try DoseQueries.changed(
          since: cursor, patient: patient, now: now, in: reader)
        news.events += doses.map { ("dose", writer.json($0)) }
        let deliveries = try ReminderQueries.changed(
          patient: patient, after: cursor.at.adding(milliseconds: -Self.overlap),
          limit: Self.mostDeliveries, accounts: accounts, in: reader)
        let alerts =
          // Alarms are sent only to their owner.
          right.may("Occasion")
          ? try AlertQueries.changed(
            after: cursor.at.adding(milliseconds: -Self.overlap), patient: patient,
            limit: Self.mostDeliveries, in: reader) : []
        for alert in alerts where alert.kind != .lead {
          let key = "occasion \(patient) \(alert.id)"
          let data = writer.json(alert)
          news.told[key] = data
          if told[key] != data { news.events.append((alert.kind.rawValue, data)) }
        }
        if deliveries.count == Self.mostDeliveries, let last = deliveries.last {
          // The rest follows with the next read.
          news.cursor = ChangeCursor(
            sequence: news.cursor.sequence, at: min(news.cursor.at, last.changed))
          news.isCut = true
        }
        for delivery in deliveries {
          let data = writer.json(delivery)
          news.told[delivery.id.text] = data
          if told[delivery.id.text] != data { news.events.append(("delivery", data)) }
        }
        counts.append(news.events.count - before)
      }
      return (news, counts)
    }
    for (right, count) in zip(rights, counts) where count > 0 {
      try await environment.audit(right, count: count, at: now)
    }
    return news
  }
}

extension Authorization {
  /// Returns true if the listener may also read a resource of the same patient.
  fileprivate func may(_ resource: String) -> Bool {
    let decision = decide(
      actor: actor, action: .read, patient: patient, resource: resource, purpose: purpose)
    if case .allow = decision { return true }
    return false
  }
}
