// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Foundation
import Identifiers
import Observations
import Records
import Storage

/// Queries for entries of the diary.
package enum DiaryQueries {
  /// The maximum number of entries that are read at once.
  package static let most = 1_000

  /// Returns the latest entries of a tracker, the latest first.
  ///
  /// For weight these include what a scale or another program sent, for those with whom measurements are shared too.
  package static func entries(
    of tracker: Tracker, _ patient: PatientID, limit: Int, _ authorization: SearchAuthorization,
    in reader: any SQLReader
  ) throws -> [DiaryEntry] {
    if let metric = tracker.standard?.metric {
      var query = ObservationQuery(patient: patient)
      query.metrics = [metric]
      query.limit = most
      // A watch sends more pulses than anyone writes down.
      let showsOthers =
        metric == .weight && authorization.actor.observations(of: patient) == .either
      let found = try ObservationRows.search(query, in: reader)
        .compactMap { entry($0, tracker) }
        .filter { $0.isOwn || showsOthers }
      return Array(found.prefix(limit))
    }
    return try records(tracker.id.text, limit: limit, authorization, in: reader).compactMap {
      try entry($0, tracker)
    }
  }

  /// Returns the latest entries of all trackers, the latest first.
  package static func latest(
    _ patient: PatientID, limit: Int, _ authorization: SearchAuthorization,
    in reader: any SQLReader
  ) throws -> [(entry: DiaryEntry, tracker: Tracker)] {
    let trackers =
      try TrackerStore.all(of: patient, in: reader) + TrackerStore.ended(of: patient, in: reader)
    let byID = Dictionary(trackers.map { ($0.id, $0) }) { first, _ in first }
    var found: [(entry: DiaryEntry, tracker: Tracker)] = []
    for record in try records(nil, limit: limit, authorization, in: reader) {
      guard let id = DiaryObservation.tracker(of: try record.json()), let tracker = byID[id],
        let entry = try entry(record, tracker)
      else { continue }
      found.append((entry, tracker))
    }
    for tracker in trackers where tracker.standard?.metric != nil && tracker.isMine {
      let entries = try entries(of: tracker, patient, limit: limit, authorization, in: reader)
      for entry in entries where entry.isOwn { found.append((entry, tracker)) }
    }
    found.sort { ($0.entry.draft.at, $0.entry.id) > ($1.entry.draft.at, $1.entry.id) }
    return Array(found.prefix(limit))
  }

  /// Returns an entry with its tracker; nil if the patient has none of that id.
  ///
  /// - Parameter authorization: the permission to read the diary of the patient.
  package static func entry(
    _ id: String, _ authorization: Authorization, in reader: any SQLReader
  ) throws -> (entry: DiaryEntry, tracker: Tracker)? {
    let patient = authorization.patient
    if try ObservationRows.patient(of: id, in: reader) == patient {
      for standard in StandardTracker.allCases {
        guard let metric = standard.metric else { continue }
        var query = ObservationQuery(patient: patient)
        query.metrics = [metric]
        query.id = id
        guard let found = try ObservationRows.search(query, in: reader).first,
          let tracker = try TrackerStore.tracker(standard.id, of: patient, in: reader),
          let entry = entry(found, tracker)
        else { continue }
        let isVisible =
          entry.isOwn || authorization.actor.observations(of: patient) == .either
        return isVisible ? (entry, tracker) : nil
      }
      return nil
    }
    guard try RecordStore().patient(of: VitalCommands.resource, id: id, in: reader) == patient
    else { return nil }
    let record: StoredRecord
    do throws(RecordsError) {
      record = try RecordStore().read(
        VitalCommands.resource, id, authorization: authorization, in: reader)
    } catch {
      guard error == .gone else { throw error }
      return nil
    }
    guard let name = DiaryObservation.tracker(of: try record.json()),
      let tracker = try TrackerStore.tracker(name, of: patient, in: reader),
      let entry = try entry(record, tracker)
    else { return nil }
    return (entry, tracker)
  }

  // MARK: Parts

  private static func records(
    _ code: String?, limit: Int, _ authorization: SearchAuthorization, in reader: any SQLReader
  ) throws -> [StoredRecord] {
    let token = TokenSearchValue(system: DiaryObservation.system, code: code)
    return try RecordStore().search(
      RecordSearch(
        type: .observation, criteria: [SearchCriterion(parameter: "code", test: .token([token]))],
        sort: [SearchSort(parameter: "date", isDescending: true)], count: limit,
        wantsTotal: false),
      authorization: authorization, in: reader
    ).records
  }

  private static func entry(_ record: StoredRecord, _ tracker: Tracker) throws -> DiaryEntry? {
    DiaryObservation.entry(try record.json(), id: record.id, tracker)
  }

  /// Returns a sent measurement, or the weight of a day; a day's pulse is a mean, which no one measured.
  private static func entry(_ found: FoundObservation, _ tracker: Tracker) -> DiaryEntry? {
    switch found {
    case .sent(let sent):
      guard let resource = try? JSONValue(parsing: Array(sent.body.utf8)) else { return nil }
      return DiaryObservation.entry(resource, id: sent.id, tracker)
    case .day(let value):
      guard value.metric == .weight else { return nil }
      return DiaryEntry(
        id: value.observation, tracker: tracker.id,
        draft: DiaryDraft(
          .measurement(Decimal(value.thousandths) / 1_000, .kilograms),
          at: Timestamp(milliseconds: value.at * 1_000)),
        offsetMinutes: value.zoneOffset / 60, isOwn: false)
    }
  }
}
