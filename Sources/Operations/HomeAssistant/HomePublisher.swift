// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HomeAutomation
import Identifiers
import Localization
import Logging
import MQTT
import Plans
import Storage
import TimeZones
import Web

/// Publishes what has changed of the people whom Home Assistant shows, round by round.
///
/// Everything is derived from the database, so that nothing is lost if a message isn't sent: its person is published
/// again in a later round.
struct HomePublisher {
  /// A function that publishes a message, or throws if it can't be sent now.
  typealias Send = @Sendable (MQTTMessage) throws(MQTTError) -> Void

  /// The messages about a person that the broker keeps.
  private struct Shown {
    var link: HomeLink
    /// The day as it was last published; nil before.
    var day: HomeDay?
    /// The hashes of the retained messages; nil if they must be sent again.
    var discovery: Int?
    var state: Int?
    /// The time of the next attempt, after the day could not be read.
    var retry: Timestamp?
  }

  /// A person's day as far as it could be read.
  private enum Reading {
    case read(HomeReading)
    /// The person was erased.
    case gone
    /// The day can't be computed, for example without the zone's file.
    case failed
  }

  /// The people that are read at one time, so that answers never wait long.
  private static let peopleAtOnce = 50
  /// The most milliseconds between two readings of all links: grants also end with time.
  private static let reloadMilliseconds: Int64 = 60_000

  let environment: ServerEnvironment
  let broker: HomeBroker
  let directory: HomeDirectory
  private let send: Send
  private var shown: [String: Shown] = [:]
  private var idsOfPatient: [PatientID: Set<String>] = [:]
  /// The people to publish, whether or not their day changes by itself.
  private var dirty: Set<String> = []
  private var reloaded: Timestamp?
  /// The places whose messages were removed, but perhaps not acknowledged yet.
  private var cleared: [String] = []

  /// True once the people are known, since the connection was made.
  var hasLoaded: Bool { reloaded != nil }

  init(
    environment: ServerEnvironment, broker: HomeBroker, directory: HomeDirectory,
    send: @escaping Send
  ) {
    self.environment = environment
    self.broker = broker
    self.directory = directory
    self.send = send
  }

  /// Publishes everything again, after the broker or Home Assistant has started.
  mutating func publishAgain() {
    for id in shown.keys {
      shown[id]?.discovery = nil
      shown[id]?.state = nil
      dirty.insert(id)
    }
  }

  /// Starts again after a new connection: nothing is known to have arrived.
  mutating func reconnect() throws(MQTTError) {
    cleared = []
    reloaded = nil
    try send(
      MQTTMessage(
        topic: HomeTopics.availability(broker.prefix), text: HomeTopics.online, isRetained: true))
    publishAgain()
  }

  /// Publishes what has changed; returns true if more is waiting.
  ///
  /// - Parameters:
  ///   - changed: The patients whose data has changed; nil if it may be any.
  ///   - isIdle: True if the broker has acknowledged everything that was sent before.
  mutating func round(
    changed: Set<PatientID>?, isIdle: Bool, at now: Timestamp
  ) async throws -> Bool {
    if isIdle { try await forgetCleared() }
    if let changed, let reloaded, now.milliseconds - reloaded.milliseconds < Self.reloadMilliseconds
    {
      try await follow(changed, at: now)
    } else {
      try await reload(at: now)
      if changed == nil { dirty.formUnion(shown.keys) }
    }
    let ids = shown.filter { id, person in
      guard (person.retry ?? now) <= now else { return false }
      return dirty.contains(id) || (person.day?.changes ?? now) <= now
    }.keys.prefix(Self.peopleAtOnce)
    if ids.isEmpty { return false }
    try await publish(Array(ids), at: now)
    return true
  }

  // MARK: Links

  private mutating func reload(at now: Timestamp) async throws {
    let (links, abandoned) = try await environment.database.read { reader in
      (
        try HomeLinkStore.all(at: now, in: reader),
        try HomeLinkStore.abandoned(at: now, in: reader)
      )
    }
    var left = Set(shown.keys)
    for link in links { left.remove(add(link)) }
    for id in left { remove(id) }
    clear(abandoned)
    reloaded = now
  }

  private mutating func follow(_ changed: Set<PatientID>, at now: Timestamp) async throws {
    if changed.isEmpty { return }
    let patients = changed.sorted()
    let links = try await environment.database.read { reader in
      try HomeLinkStore.links(of: patients, at: now, in: reader)
    }
    var left = patients.reduce(into: Set<String>()) { $0.formUnion(idsOfPatient[$1] ?? []) }
    for link in links {
      let id = add(link)
      left.remove(id)
      dirty.insert(id)
    }
    guard !left.isEmpty else { return }
    for id in left { remove(id) }
    let abandoned = try await environment.database.read { reader in
      try HomeLinkStore.abandoned(at: now, in: reader)
    }
    clear(abandoned)
  }

  private mutating func add(_ link: HomeLink) -> String {
    let id = HomeTopics.id(of: link.place, cipher: environment.accounts.cipher)
    if shown[id]?.link != link {
      if shown[id] == nil {
        shown[id] = Shown(link: link)
      } else {
        shown[id]?.link = link
      }
      idsOfPatient[link.patient, default: []].insert(id)
      directory.add(link, as: id)
      dirty.insert(id)
    }
    return id
  }

  private mutating func remove(_ id: String) {
    directory.remove(id)
    dirty.remove(id)
    guard let removed = shown.removeValue(forKey: id) else { return }
    idsOfPatient[removed.link.patient]?.remove(id)
    if idsOfPatient[removed.link.patient]?.isEmpty == true {
      idsOfPatient[removed.link.patient] = nil
    }
  }

  // MARK: Removing

  /// Removes what the broker retains of places that are no longer used.
  private mutating func clear(_ places: [String]) {
    for place in places where !cleared.contains(place) {
      let topics = broker.topics(
        of: HomeTopics.id(of: place, cipher: environment.accounts.cipher))
      do throws(MQTTError) {
        for topic in [topics.discovery, topics.state] {
          try send(MQTTMessage(topic: topic, payload: [], isRetained: true))
        }
        cleared.append(place)
      } catch {
        // The rest follows in a later round.
        return
      }
    }
  }

  private mutating func forgetCleared() async throws {
    if cleared.isEmpty { return }
    let places = cleared
    let now = environment.now()
    try await environment.database.write { writer in
      let abandoned = Set(try HomeLinkStore.abandoned(at: now, in: writer))
      for place in places where abandoned.contains(place) {
        try HomeLinkStore.forget(place, in: writer)
      }
    }
    cleared = []
  }

  // MARK: People

  private mutating func publish(_ ids: [String], at now: Timestamp) async throws {
    let patients = ids.map { shown[$0]?.link.patient ?? PatientID("") }
    let zones = environment.zones
    let readings = try await environment.database.read { reader -> [Reading] in
      var readings: [Reading] = []
      for patient in patients {
        readings.append(try Self.read(patient, now: now, zones: zones, in: reader))
      }
      return readings
    }
    for (id, found) in zip(ids, readings) {
      let reading: HomeReading
      switch found {
      case .read(let day): reading = day
      case .gone:
        // The next reload removes what is published.
        remove(id)
        reloaded = nil
        continue
      case .failed:
        environment.logger.error("a person's day could not be read for Home Assistant")
        shown[id]?.retry = now.adding(milliseconds: Self.reloadMilliseconds)
        continue
      }
      shown[id]?.retry = nil
      do throws(MQTTError) {
        try publish(reading, id)
        dirty.remove(id)
      } catch {
        guard error == .full else { throw error }
        // The rest follows when the broker has acknowledged some.
        dirty.insert(id)
        return
      }
    }
  }

  /// Reads a person's day; one that can't be computed does not stop the others.
  private static func read(
    _ patient: PatientID, now: Timestamp, zones: ZoneCatalog, in reader: any SQLReader
  ) throws -> Reading {
    do throws(PlanError) {
      let found = try HomeReading.read(patient, now: now, zones: zones, in: reader)
      return found.map { Reading.read($0) } ?? .gone
    } catch {
      if case .storage(let storage) = error { throw storage }
      return .failed
    }
  }

  private mutating func publish(_ reading: HomeReading, _ id: String) throws(MQTTError) {
    guard var entry = shown[id] else { return }
    let topics = broker.topics(of: id)
    let discovery = HomeDiscovery(
      topics: topics, name: reading.name, version: ServerSettings.version,
      address: environment.settings.publicURL, localizer: Localizer.of(reading.language)
    ).json.bytes
    if entry.discovery != discovery.hashValue {
      try send(MQTTMessage(topic: topics.discovery, payload: discovery, isRetained: true))
      entry.discovery = discovery.hashValue
      shown[id] = entry
    }
    let key = HomeState.doseKey(
      reading.day, place: entry.link.place, cipher: environment.accounts.cipher)
    let state = HomeState.json(
      reading.day, zone: reading.zone, namesMedicine: entry.link.namesMedicine, key: key
    ).bytes
    if entry.state != state.hashValue {
      directory.note(key, of: id)
      try send(MQTTMessage(topic: topics.state, payload: state, isRetained: true))
      entry.state = state.hashValue
      shown[id] = entry
    }
    if let before = entry.day {
      for event in HomeEvent.between(before, reading.day) {
        try send(
          MQTTMessage(topic: topics.event, payload: event.json.bytes, isRetained: false))
      }
    }
    entry.day = reading.day
    shown[id] = entry
  }
}
