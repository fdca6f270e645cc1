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
  /// A reading as it is kept.
  ///
  /// - Parameter isRemoval: takes the day's value back.
  package init(_ reading: VitalReading, isRemoval: Bool = false) {
    let metric: VitalMetric =
      switch reading.kind {
      case .restingHeartRate: .restingHeartRate
      case .heartRate: .heartRate
      case .walkingHeartRate: .walkingHeartRate
      case .steps: .steps
      case .weight: .weight
      }
    // A day's value is of the day on which its measuring began.
    self.init(
      metric: metric, day: CivilDays.text(reading.start.dayNumber),
      second: reading.start.secondOfDay, at: reading.start.seconds,
      zoneOffset: Int(reading.start.offset), stamp: reading.created.seconds,
      thousandths: isRemoval ? nil : reading.thousandths, source: reading.source,
      motion: reading.motion.rawValue, isDayTotal: reading.isDayTotal)
  }
}

/// Takes in for one patient what was read, in transactions of few days each.
package struct VitalIntake: Sendable {
  /// What goes into one transaction: a few milliseconds of the one writer.
  private static let samples = 5_000

  package let environment: ServerEnvironment
  package let patient: PatientID
  package let context: @Sendable () -> CommandContext

  package init(
    environment: ServerEnvironment, patient: PatientID,
    context: @escaping @Sendable () -> CommandContext
  ) {
    self.environment = environment
    self.patient = patient
    self.context = context
  }

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

  /// The offset of the patient's zone, for times that do not name one.
  package static func offsets(of patient: PatientID, in environment: ServerEnvironment) async throws
    -> @Sendable (Int64) -> Int32
  {
    let zone = try await environment.database.read { reader in
      // On trial there may be nobody yet.
      try PeopleQueries.exists(patient, in: reader)
        ? PeopleQueries.zone(patient, zones: environment.zones, in: reader)
        : environment.zones.zone(environment.settings.homeZone)
    }
    return offsets(of: zone)
  }

  /// The offset of a zone at seconds since 1970.
  package static func offsets(of zone: Zone) -> @Sendable (Int64) -> Int32 {
    { seconds in
      Int32(clamping: zone.offsetSeconds(at: Instant(milliseconds: seconds * 1_000)))
    }
  }
}
