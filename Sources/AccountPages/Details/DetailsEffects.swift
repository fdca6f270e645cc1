// SPDX-License-Identifier: Apache-2.0

import Dosing
import Identifiers
import Localization
import Plans
import Presentation
import Scheduling
import Storage
import TimeZones

/// The effects of a change of time zone or meal times on the plans.
struct DetailsEffects: Sendable, Hashable {
  /// A change, by its code in the address of the page after saving.
  enum Change: String, Sendable, Hashable, CaseIterable {
    case zone, meals
  }

  /// The zone of the person.
  var zone = ""
  /// Plans that follow the zone's clock.
  var following = 0
  /// Plans that stay on the clock of another zone, by zone.
  var staying: [String: Int] = [:]
  /// Plans that count hours, regardless of the zone.
  var counting = 0
  /// Plans with doses tied to waking, meals or sleep.
  var tied = 0
  /// Doses now too close to another one, which wait for the person's decision.
  var withheld = 0

  static func read(
    patient: PatientID, now: Timestamp, zones: ZoneCatalog, in reader: any SQLReader
  ) throws -> DetailsEffects {
    var effects = DetailsEffects()
    let listing = try DoseQueries.listing(
      patient: patient, from: now, until: now.adding(milliseconds: 48 * 3_600_000), now: now,
      zones: zones, in: reader)
    effects.zone = listing.zone.identifier
    let plans = try PlanQueries.all(patient: patient, in: reader).filter { $0.unplanned == nil }
    for plan in plans {
      switch plan.kind {
      case .calendar:
        if plan.zone == effects.zone {
          effects.following += 1
        } else if FixedOffset.isFixed(plan.zone) {
          effects.counting += 1
        } else {
          effects.staying[plan.zone, default: 0] += 1
        }
      case .elapsed: effects.counting += 1
      case .instants, .none: break
      }
      if plan.slots.contains(where: { if case .event = $0.time { true } else { false } }) {
        effects.tied += 1
      }
    }
    effects.withheld = listing.doses.count { $0.state == .withheld }
    return effects
  }

  /// Returns the effects of the given changes, one sentence each.
  func sentences(of changes: [Change], _ localizer: Localizer) -> [String] {
    var sentences: [String] = []
    if changes.contains(.zone) {
      let place = ZonePlace.name(zone)
      if following > 0 {
        sentences.append(
          localizer.text(
            "details.effect-following", ["count": .number(following), "place": .text(place)]))
      }
      for (zone, count) in staying.sorted(by: { $0.key < $1.key }) {
        sentences.append(
          localizer.text(
            "details.effect-staying",
            ["count": .number(count), "place": .text(ZonePlace.name(zone))]))
      }
      if counting > 0 {
        sentences.append(
          localizer.text("details.effect-counting", ["count": .number(counting)]))
      }
    }
    if changes.contains(.meals), tied > 0 {
      sentences.append(localizer.text("details.effect-tied", ["count": .number(tied)]))
    }
    if !changes.isEmpty, withheld > 0 {
      sentences.append(localizer.text("details.effect-withheld", ["count": .number(withheld)]))
    }
    return sentences
  }
}
