// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage
import TimeZones

/// A dose that a request names without its person, who is found together with it in one query.
///
/// Only to decide access: the caller must reveal nothing before that.
package struct OwnedDose: Sendable {
  /// The person who takes it.
  package let patient: PatientID
  /// The person's time zone.
  package let zone: Zone
  let id: DoseID
  /// The dose as it was read with the request's event; nil if it has no row yet.
  let found: AnswerableDose?

  /// Finds the dose of a request; nil if there is no plan of that id.
  package static func find(
    _ id: DoseID, for request: AnswerRequest, zones: ZoneCatalog, in reader: any SQLReader
  ) throws(PlanError) -> OwnedDose? {
    try planning {
      // A malformed event is refused after access is decided.
      let event = try? AnswerInput.event(request.event)
      if let found = try AnswerableDose.owned(id, event: event, in: reader), let name = found.zone {
        return OwnedDose(
          patient: found.patient, zone: try zones.zone(name), id: id, found: found)
      }
      return try PlanQueries.owner(of: id.plan, zones: zones, in: reader).map { owner in
        OwnedDose(patient: owner.patient, zone: owner.zone, id: id, found: nil)
      }
    }
  }
}
