// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Records
import Storage

extension HistoryFinder {
  /// The number of versions that are compared with constraints at once.
  private static let step = 500

  /// Returns the number of versions of some types that the caller may see.
  func total(
    of types: [FHIRType], _ filters: [FHIRType: AccessFilter], _ request: HistoryRequest,
    in reader: any SQLReader
  ) throws -> Int {
    let since = request.since.map { Timestamp(milliseconds: $0) }
    let limited = types.filter { filters[$0]?.isLimited ?? true }
    var total = try records.historyCount(
      parts(of: types.filter { !limited.contains($0) }), since: since, during: request.period,
      in: reader)
    for type in limited {
      total += try admitted(type, filters[type], request, in: reader)
    }
    for type in types where type.ownership == .projection || type.ownership == .mixed {
      guard let source = ProjectedSources.source(of: type) else { continue }
      for patient in try people(type, in: reader) {
        total += try made(by: source, type, of: patient, request, in: reader)
          .count(where: { filters[type]?.admits($0) ?? false })
      }
    }
    return total
  }

  /// Returns the number of stored versions that meet the constraints of the caller's scopes.
  private func admitted(
    _ type: FHIRType, _ filter: AccessFilter?, _ request: HistoryRequest, in reader: any SQLReader
  ) throws -> Int {
    guard let filter else { return 0 }
    var total = 0
    var place: HistoryPlace?
    while true {
      let found = try stored([type], request, place, count: Self.step, in: reader)
      total += found.count(where: { filter.admits($0) })
      guard found.count == Self.step, let last = found.last else { return total }
      place = HistoryPlace(last)
    }
  }

  /// Returns the versions that a source makes of a patient's data.
  func made(
    by source: any ProjectedSource, _ type: FHIRType, of patient: PatientID,
    _ request: HistoryRequest, in reader: any SQLReader
  ) throws -> [FoundResource] {
    guard let period = request.period else {
      return try source.history(of: patient, since: request.since, caller, in: reader)
        .map { FoundResource($0, type, patient: patient) }
    }
    let versions = try source.history(of: patient, since: nil, caller, in: reader)
      .map { FoundResource($0, type, patient: patient) }
    return Dictionary(grouping: versions, by: \.id).values.flatMap { versions in
      let sorted = versions.sorted { $0.version > $1.version }
      let current = period.current(sorted)
      return sorted.filter { current.contains($0.version) }
    }.filter { $0.lastUpdated.milliseconds >= request.since ?? .min }
  }
}

extension RecordHistoryPeriod {
  /// Returns the numbers of the versions of one resource, the newest first, that were current in the period.
  func current(_ versions: [FoundResource]) -> Set<Int64> {
    var current: Set<Int64> = []
    var end: Timestamp?
    for version in versions {
      if contains(from: version.lastUpdated, until: end, isDeletion: version.isDeleted) {
        current.insert(version.version)
      }
      end = version.lastUpdated
    }
    return current
  }
}
