// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import Knowledge
import People
import Records
import Scheduling
import Storage
import TimeZones

/// A change that brings a plan, its era, slots and doses in line with a new request, zone or daily
/// rhythm.
package struct PlanChange {
  /// The moment of the change; doses due by then are facts and stay.
  package let now: Timestamp
  /// The time zones of the system.
  package let zones: ZoneCatalog
  /// The actions of other features that follow from the change.
  package let consequences: Consequences
  /// The transaction of the command.
  package let writer: any SQLWriter

  /// Creates a change.
  package init(
    now: Timestamp, zones: ZoneCatalog, consequences: Consequences, writer: any SQLWriter
  ) {
    self.now = now
    self.zones = zones
    self.consequences = consequences
    self.writer = writer
  }

  /// Adds the rows of a running plan up to the horizon, by the rules that applied until now.
  ///
  /// Called before anything changes, so that what was due meanwhile becomes a fact of the old
  /// rules.
  package func settle(_ snapshot: inout PlanSnapshot, rhythm: DailyRhythm) throws {
    guard let timeline = try snapshot.timeline(zones: zones, rhythm: rhythm).timeline else {
      return
    }
    try projection(snapshot.row).extend(&snapshot.row, timeline, in: writer)
  }

  /// Applies a new request.
  func begin(
    _ record: StoredRecord, person: Person, policy: ZonePolicy?
  ) throws -> PlanSnapshot {
    let request = MedicationRequestView(try record.json())
    let zone = try zones.zone(person.zone)
    let today = zone.date(at: Instant(now))
    var row = PlanRow(
      patient: record.patient, plan: PlanID(record.id), requestVersion: record.version,
      status: request.status ?? "unknown", unplanned: nil,
      medicineName: Self.name(request),
      storedShownName: ShownName.of(request, in: person.language),
      ingredients: Self.ingredients(request),
      policy: policy ?? .follow, era: 1, kind: .none, anchor: Timestamp(zone.startOfDay(today)),
      anchorDate: today, activeFrom: PlanRow.never, minimumGap: nil, plannedThrough: now,
      created: now, changed: now, zone: person.zone, firstZone: person.zone,
      eraSignature: PlanKind.none.rawValue)
    let reading = try read(&row, request)
    if policy == nil, case .rules(let rules) = reading, Self.followsHours(rules) {
      row.policy = .elapsed
    }
    try PlanStore.insert(row, in: writer)
    try PlanStore.insertEra(row, starts: now, in: writer)
    try PlanSources.note(request, plan: row.plan, patient: row.patient, in: writer)
    try LimitRows.note(request, plan: row.plan, patient: row.patient, in: writer)
    try consequences.follow(.prescribed(at: now), of: row.plan, patient: row.patient, in: writer)
    let snapshot = PlanSnapshot(row: row, slots: [], highestSlot: 0, request: request)
    return try apply(
      snapshot, reading: reading, person: person, named: [:], pairsInOrder: true, reason: .edit)
  }

  /// Applies a changed request; `named` are the slots that the person's own form kept.
  func take(
    _ record: StoredRecord, into before: PlanSnapshot, person: Person, policy: ZonePolicy?,
    named: [SlotTime: Int], pairsInOrder: Bool
  ) throws -> PlanSnapshot {
    let request = MedicationRequestView(try record.json())
    var row = before.row
    row.requestVersion = record.version
    row.status = request.status ?? "unknown"
    row.medicineName = Self.name(request)
    row.storedShownName = ShownName.of(request, in: person.language)
    row.ingredients = Self.ingredients(request)
    row.policy = policy ?? row.policy
    row.changed = now
    try PlanSources.note(request, plan: row.plan, patient: row.patient, in: writer)
    try LimitRows.note(request, plan: row.plan, patient: row.patient, in: writer)
    try consequences.follow(.prescribed(at: now), of: row.plan, patient: row.patient, in: writer)
    let reading = try read(&row, request)
    if policy == nil, row.policy == .elapsed, row.eraSignature.hasPrefix(PlanKind.elapsed.rawValue),
      case .rules(let rules) = reading, PlanKind(rules) == .calendar
    {
      // The elapsed policy came with the hours; clock times follow the patient by default.
      row.policy = .follow
    }
    let snapshot = PlanSnapshot(
      row: row, slots: before.slots, highestSlot: before.highestSlot, request: request)
    return try apply(
      snapshot, reading: reading, person: person, named: named, pairsInOrder: pairsInOrder,
      reason: .edit)
  }

  /// Adapts a plan to a change of the patient's zone or daily rhythm.
  ///
  /// - Parameter reason: recorded with doses that are withheld or cancelled for it.
  package func follow(_ snapshot: PlanSnapshot, person: Person, reason: DoseStateReason) throws {
    var row = snapshot.row
    row.changed = now
    let reading = try read(&row, snapshot.request)
    let changed = PlanSnapshot(
      row: row, slots: snapshot.slots, highestSlot: snapshot.highestSlot,
      request: snapshot.request)
    _ = try apply(
      changed, reading: reading, person: person, named: [:], pairsInOrder: true, reason: reason)
  }

  /// Reads again a plan that an earlier version could not read, and returns true if it gives doses from now
  /// on.
  func readAgain(_ snapshot: PlanSnapshot, person: Person) throws -> Bool {
    var row = snapshot.row
    row.changed = now
    let reading = try read(&row, snapshot.request)
    switch reading {
    case .unplanned(.asNeeded) where row.unplanned == .asNeeded:
      row.minimumGap = PlanLimits(snapshot.request).gap
      try PlanStore.update(row, in: writer)
      return false
    case .unplanned(let why) where why == row.unplanned: return false
    case .unplanned(let why):
      row = snapshot.row
      row.unplanned = why
      try PlanStore.update(row, in: writer)
      return false
    case .rules(let rules):
      if row.activeFrom == PlanRow.never, PlanKind(rules) == .elapsed { row.policy = .elapsed }
    }
    let read = PlanSnapshot(
      row: row, slots: snapshot.slots, highestSlot: snapshot.highestSlot,
      request: snapshot.request)
    let after = try apply(
      read, reading: reading, person: person, named: [:], pairsInOrder: true, reason: .edit)
    return after.row.unplanned == nil
  }

  /// Reads the request in the row's zone, and writes the anchor when the plan first becomes active.
  private func read(_ row: inout PlanRow, _ request: MedicationRequestView) throws -> PlanReading {
    let zone = try zones.zone(ofEra: row.zone)
    let firstZone = try zones.zone(row.firstZone)
    if row.activeFrom == PlanRow.never {
      let today = firstZone.date(at: Instant(now))
      let start = TimingReader.statedStart(of: request, anchorZone: firstZone, zone: zone)
      row.anchor = Timestamp(start?.instant ?? zone.startOfDay(today))
      row.anchorDate = start?.date ?? today
    }
    let anchor = PlanAnchor(
      instant: Instant(row.anchor), date: row.anchorDate, zone: firstZone)
    return TimingReader.read(request, anchor: anchor, zone: zone)
  }

  /// Finds a schedule that is more frequent than its medicine's rule and unconfirmed: the final
  /// check for plans from every source, so that none of them rings.
  private func unconfirmedBreach(
    _ snapshot: PlanSnapshot, person: Person
  ) throws -> FrequencyBreach? {
    let zone = try zones.zone(ofEra: snapshot.row.zone)
    return try FrequencyBreach.unconfirmed(
      snapshot.request, subjects: [snapshot.row.plan.text], patient: snapshot.row.patient,
      zone: zone,
      rhythm: person.rhythm, today: zone.date(at: Instant(now)), in: writer)
  }

  /// Checks a ringing plan again after the list of rules has grown.
  func checkAgain(_ snapshot: PlanSnapshot, person: Person) throws {
    guard try unconfirmedBreach(snapshot, person: person) != nil else { return }
    var settled = snapshot
    try settle(&settled, rhythm: person.rhythm)
    try follow(settled, person: person, reason: .edit)
  }

  private func apply(
    _ snapshot: PlanSnapshot, reading: PlanReading, person: Person, named: [SlotTime: Int],
    pairsInOrder: Bool, reason: DoseStateReason
  ) throws -> PlanSnapshot {
    var row = snapshot.row
    if let breach = try unconfirmedBreach(snapshot, person: person) {
      try pause(&row, .tooOften(rule: breach.rule.id), snapshot.request)
      return PlanSnapshot(
        row: row, slots: snapshot.slots, highestSlot: snapshot.highestSlot,
        request: snapshot.request)
    }
    switch reading {
    case .unplanned(let why):
      try pause(&row, why, snapshot.request)
      return PlanSnapshot(
        row: row, slots: snapshot.slots, highestSlot: snapshot.highestSlot,
        request: snapshot.request)
    case .rules(let first):
      var rules = first
      try settleZone(&row, rules, person: person)
      if row.zone != snapshot.row.zone {
        // Read the bounds again: dates end with the day of the new zone.
        guard case .rules(let again) = try read(&row, snapshot.request) else {
          throw PlanError.unreadableRecord
        }
        rules = again
      }
      let assignment = SlotAssignment.assign(
        rules, existing: snapshot.slots, highest: snapshot.highestSlot, named: named,
        pairsInOrder: pairsInOrder)
      let signature = PlanKind.signature(rules)
      let zone = try zones.zone(ofEra: row.zone)
      let timeline = PlanTimeline(
        rules: rules, slots: assignment.slots, zone: zone, rhythm: person.rhythm,
        lastIntake: try LastIntake.load(
          snapshot.request, plan: row.plan, patient: row.patient,
          era: Self.opensEra(row, from: snapshot.row, signature: signature)
            ? row.era + 1 : row.era, in: writer))
      if let why = timeline.reasonForNone(from: now, isNew: row.activeFrom == PlanRow.never) {
        row = snapshot.row
        try pause(&row, why, snapshot.request)
        return PlanSnapshot(
          row: row, slots: snapshot.slots, highestSlot: snapshot.highestSlot,
          request: snapshot.request)
      }
      try PlanSlotRows.save(
        assignment, plan: row.plan, patient: row.patient, at: now, in: writer)
      row.kind = PlanKind(rules)
      row.minimumGap = timeline.minimumGapMilliseconds
      row.unplanned = nil
      try CycleRows.note(
        CycleDays(rules, zone: zone), plan: row.plan, patient: row.patient, in: writer)
      try openEra(&row, from: snapshot.row, signature: signature)
      try project(&row, timeline, reason: reason)
      try PlanStore.update(row, in: writer)
      try consequences.follow(.planned(at: now), of: row.plan, patient: row.patient, in: writer)
      return PlanSnapshot(
        row: row, slots: assignment.slots,
        highestSlot: max(snapshot.highestSlot, assignment.slots.map(\.id).max() ?? 0),
        request: snapshot.request)
    }
  }

  /// Opens a new era if identities would otherwise change their meaning.
  private func openEra(_ row: inout PlanRow, from before: PlanRow, signature: String) throws {
    let isFirst = before.eraSignature == PlanKind.none.rawValue
    row.eraSignature = signature
    if isFirst {
      try PlanStore.updateEra(row, in: writer)
    } else if Self.opensEra(row, from: before, signature: signature) {
      row.era += 1
      try PlanStore.insertEra(row, starts: now, in: writer)
    }
  }

  /// Returns true if all rules count elapsed time and none a time of day.
  private static func followsHours(_ rules: [PlanRule]) -> Bool {
    PlanKind(rules) == .elapsed && !rules.contains(where: \.hasWakingHours)
  }

  private static func opensEra(
    _ row: PlanRow, from before: PlanRow, signature: String
  ) -> Bool {
    before.eraSignature != PlanKind.none.rawValue
      && (before.zone != row.zone || before.eraSignature != signature)
  }

  private func project(
    _ row: inout PlanRow, _ timeline: PlanTimeline, reason: DoseStateReason
  ) throws {
    let projection = projection(row)
    if row.activeFrom == PlanRow.never {
      row.activeFrom = now
      row.plannedThrough = now
      try projection.extend(&row, timeline, in: writer)
    } else {
      try projection.remake(
        &row, timeline, reason: reason, consequences: consequences, in: writer)
    }
  }

  /// Cancels future doses and stops planning.
  private func pause(
    _ row: inout PlanRow, _ why: UnplannedReason, _ request: MedicationRequestView
  ) throws {
    row.unplanned = why
    // An as-needed plan keeps only the gap that it states.
    if why == .asNeeded { row.minimumGap = PlanLimits(request).gap }
    row.kind = .none
    row.plannedThrough = now
    let reason: DoseStateReason =
      switch why {
      case .status("on-hold"): .paused
      case .status: .stopped
      default: .unplanned
      }
    try projection(row).cancel(reason, in: writer)
    try PlanStore.update(row, in: writer)
    try consequences.follow(.planned(at: now), of: row.plan, patient: row.patient, in: writer)
  }

  private func projection(_ row: PlanRow) -> DoseProjection {
    DoseProjection(patient: row.patient, plan: row.plan, now: now)
  }

  /// Returns the medicine's name as written in the prescription.
  package static func name(_ request: MedicationRequestView) -> String {
    request.medicationName ?? request.medicationCodes.first?.code
      ?? request.medication.reference ?? ""
  }

  private static func ingredients(_ request: MedicationRequestView) -> String {
    Ingredient.column(Ingredient.keys(of: request))
  }
}
