// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage
import Synchronization

/// Tells open event streams and the reminder loop that something about a patient has changed.
///
/// It carries no content: its listeners read the database, so a missed wake loses nothing.
package final class LiveEvents: Sendable {
  /// The address of the event streams.
  package static let path = "/api/v1/events"

  /// The limits on open streams.
  struct Limits: Sendable {
    var perAccount = 6
    var total = 2000
  }

  /// One open stream: an element for each wake, with at most one waiting.
  package struct Subscription: Sendable {
    let id: Int
    /// The wakes of the stream; it ends when the stream is closed.
    package let wakes: AsyncStream<Void>
    /// The sending end of the wakes.
    package let continuation: AsyncStream<Void>.Continuation
  }

  private struct Stream {
    let account: AccountID
    var patients: Set<PatientID>
    let continuation: AsyncStream<Void>.Continuation
    /// The patients whose data has changed since the last request; nil if it may be any.
    var changed: Set<PatientID>?
  }

  private struct State {
    var streams: [Int: Stream] = [:]
    var byPatient: [PatientID: Set<Int>] = [:]
    var perAccount: [AccountID: Int] = [:]
    var next = 0
  }

  private let state = Mutex(State())
  private let limits: Limits
  /// The signal that wakes the reminder loop.
  package let reminders = WakeSignal()
  /// The changes of all patients, for a service that follows everyone.
  package let followed = FollowedChanges()

  init(limits: Limits = Limits()) {
    self.limits = limits
  }

  /// Wakes the streams of the patients and the reminder loop, after a commit that changed them.
  package func changed(_ patients: Set<PatientID>) {
    guard !patients.isEmpty else { return }
    wakeStreams(of: patients)
    reminders.ring()
  }

  /// Wakes the streams of a patient and the reminder loop, after a commit that changed it.
  package func changed(_ patient: PatientID) {
    changed([patient])
  }

  /// Wakes only streams: for changes by the reminder loop itself.
  package func wakeStreams(of patients: Set<PatientID>) {
    followed.note(patients)
    let continuations = state.withLock { state in
      let ids = patients.reduce(into: Set<Int>()) { ids, patient in
        ids.formUnion(state.byPatient[patient] ?? [])
      }
      for id in ids { state.streams[id]?.changed?.formUnion(patients) }
      return ids.compactMap { state.streams[$0]?.continuation }
    }
    for continuation in continuations { continuation.yield() }
  }

  /// Returns the patients whose data has changed since the last call for this stream; nil if it may
  /// be any of them.
  package func taken(by subscription: Subscription) -> Set<PatientID>? {
    state.withLock { state in
      guard let stream = state.streams[subscription.id] else { return nil }
      state.streams[subscription.id]?.changed = []
      return stream.changed
    }
  }

  /// Wakes one stream to read all its patients again, since doses also change with time.
  package func wake(_ subscription: Subscription) {
    state.withLock { state in state.streams[subscription.id]?.changed = nil }
    subscription.continuation.yield()
  }

  /// Wakes the patients in the audit entries of a commit; reads wake no one.
  func committed(_ entries: [AuditEntry]) {
    changed(Set(entries.compactMap(\.changedPatient)))
  }

  /// Wakes the patients that another node changed.
  func heard(_ change: SharedChange) {
    if let patients = change.patients {
      wakeStreams(of: patients)
    } else {
      followed.note(nil)
      let continuations = state.withLock { state in
        for id in state.streams.keys { state.streams[id]?.changed = nil }
        return state.streams.values.map(\.continuation)
      }
      for continuation in continuations { continuation.yield() }
    }
    if change.wakesReminders { reminders.ring() }
  }

  /// Opens a stream for the patients of an account; nil if the account or the server has too many.
  package func open(account: AccountID, patients: Set<PatientID>) -> Subscription? {
    let (wakes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let limits = limits
    let id = state.withLock { state -> Int? in
      guard state.streams.count < limits.total,
        state.perAccount[account, default: 0] < limits.perAccount
      else { return nil }
      state.next += 1
      state.streams[state.next] = Stream(
        account: account, patients: patients, continuation: continuation)
      state.perAccount[account, default: 0] += 1
      for patient in patients { state.byPatient[patient, default: []].insert(state.next) }
      return state.next
    }
    return id.map { Subscription(id: $0, wakes: wakes, continuation: continuation) }
  }

  /// Changes a stream's patients, after grants began or ended while it was open.
  package func follow(_ patients: Set<PatientID>, in subscription: Subscription) {
    state.withLock { state in
      guard let stream = state.streams[subscription.id], stream.patients != patients else { return }
      Self.forget(subscription.id, of: stream.patients, in: &state)
      for patient in patients { state.byPatient[patient, default: []].insert(subscription.id) }
      state.streams[subscription.id]?.patients = patients
    }
  }

  /// Ends a stream and releases its place.
  package func close(_ subscription: Subscription) {
    subscription.continuation.finish()
    state.withLock { state in
      guard let stream = state.streams.removeValue(forKey: subscription.id) else { return }
      Self.forget(subscription.id, of: stream.patients, in: &state)
      let left = state.perAccount[stream.account, default: 1] - 1
      state.perAccount[stream.account] = left > 0 ? left : nil
    }
  }

  /// The number of open streams.
  var count: Int { state.withLock { $0.streams.count } }

  private static func forget(_ id: Int, of patients: Set<PatientID>, in state: inout State) {
    for patient in patients {
      state.byPatient[patient]?.remove(id)
      if state.byPatient[patient]?.isEmpty == true { state.byPatient[patient] = nil }
    }
  }
}
