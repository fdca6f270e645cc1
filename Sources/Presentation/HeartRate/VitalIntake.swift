// SPDX-License-Identifier: Apache-2.0

import Accounts
import HealthData
import Identifiers
import Observations
import People
import Scheduling
import Storage
import TimeZones
import Web

extension VitalSample {
  /// Creates the stored form of a reading, on the day on which its measurement began.
  ///
  /// - Parameter isRemoval: True to withdraw the day's value.
  package init(_ reading: VitalReading, isRemoval: Bool = false) {
    let metric: VitalMetric =
      switch reading.kind {
      case .restingHeartRate: .restingHeartRate
      case .heartRate: .heartRate
      case .walkingHeartRate: .walkingHeartRate
      case .steps: .steps
      case .weight: .weight
      }
    // A value belongs to the day on which its measurement began.
    self.init(
      metric: metric, day: CivilDays.text(reading.start.dayNumber),
      second: reading.start.secondOfDay, at: reading.start.seconds,
      zoneOffset: Int(reading.start.offset), stamp: reading.created.seconds,
      thousandths: isRemoval ? nil : reading.thousandths, source: reading.source,
      motion: reading.motion.rawValue, isDayTotal: reading.isDayTotal)
  }
}

/// Imports readings for one patient, in transactions of a few days each.
package struct VitalIntake: Sendable {
  /// The number of samples per transaction, which blocks the single writer for a few milliseconds.
  private static let samples = 5_000

  /// The server's database, zones and settings.
  package let environment: ServerEnvironment
  /// The patient to whom the readings belong.
  package let patient: PatientID
  /// The function that makes a fresh command context for each transaction.
  package let context: @Sendable () -> CommandContext

  /// Creates an import for one patient.
  package init(
    environment: ServerEnvironment, patient: PatientID,
    context: @escaping @Sendable () -> CommandContext
  ) {
    self.environment = environment
    self.patient = patient
    self.context = context
  }

  /// Imports a batch and returns the numbers of values stored, replaced and left unchanged.
  package func take(_ batch: VitalBatch) async throws -> VitalCounts {
    var counts = VitalCounts()
    for part in batch.parts(samples: Self.samples) {
      let (patient, context) = (patient, context())
      counts.add(
        try await environment.database.write { writer in
          try VitalCommands.take(part, patient: patient, context: context, in: writer)
        })
    }
    return counts
  }

  /// Returns the time zone offsets of the patient, or of the server's home zone if the patient does
  /// not exist.
  ///
  /// They apply to times that name no offset.
  package static func offsets(of patient: PatientID, in environment: ServerEnvironment) async throws
    -> @Sendable (Int64) -> Int32
  {
    let zone = try await environment.database.read { reader in
      // On a dry run the patient may not exist yet.
      try PeopleQueries.exists(patient, in: reader)
        ? PeopleQueries.zone(patient, zones: environment.zones, in: reader)
        : environment.zones.zone(environment.settings.homeZone)
    }
    return offsets(of: zone)
  }

  /// Returns a function from seconds since 1970 to the offset of a zone, in seconds.
  package static func offsets(of zone: Zone) -> @Sendable (Int64) -> Int32 {
    { seconds in
      Int32(clamping: zone.offsetSeconds(at: Instant(milliseconds: seconds * 1_000)))
    }
  }
}
