// SPDX-License-Identifier: Apache-2.0

import FHIR
import Glibc
import Identifiers
import Knowledge
import People
import Records
import Scheduling
import Storage
import TimeZones

/// A patient's data within one snapshot of the database, shared by everything that is read for one page.
///
/// Each part is read when it is first asked for, for all of the patient's plans at once, and kept. It is valid as long
/// as its reader.
package final class PatientSnapshot {
  /// The person whose data it is.
  package let patient: PatientID
  /// The moment for which states are computed.
  package let now: Timestamp
  /// The time zones of the system.
  package let zones: ZoneCatalog
  /// The snapshot of the database; reads are valid only while it is open.
  package let reader: any SQLReader

  private var knownPerson: Person??
  private var knownFeatures: FeaturesInUse?
  private var knownPlans: [PlanRow]?
  private var bodies: [PlanID: String] = [:]
  private var statedByPlans: [StatedLimits] = []
  private var knownLimits: [StatedLimits]?
  private var requests: [PlanID: MedicationRequestView] = [:]
  private var knownSlots: [PlanID: (slots: [PlanSlot], highest: Int)]?
  private var snapshots: [PlanID: PlanSnapshot] = [:]
  private var timelines: [PlanID: PlanTimeline?] = [:]
  private var knownRows: [PlanID: [DoseProjectionRow]]?
  private var knownMoves: [PlanID: [MovedDose]]?
  private var knownIntakes: RecentIntakes?
  private var knownHistory: (from: Timestamp, intakes: [Intake])?
  private var knownOpenDoses: [Dose]?
  private var knownMedicines: [Substance]?
  private var knownTaken: [Int64: [String: [TakenAmount]]] = [:]
  private var others: [PatientID: PatientSnapshot] = [:]

  /// The limits of a plan or an ingredient, with the medicine and true if the plan is active.
  package typealias StatedLimits = (medicine: Medicine, limits: PlanLimits, isActive: Bool)

  /// Creates a snapshot that has read nothing yet.
  package init(
    of patient: PatientID, now: Timestamp, zones: ZoneCatalog, in reader: any SQLReader
  ) {
    self.patient = patient
    self.now = now
    self.zones = zones
    self.reader = reader
  }

  /// Returns the features in use, as the account sees them; nil if there is no such patient.
  package func features(seenBy account: AccountID) throws(StorageError) -> FeaturesInUse? {
    if let knownFeatures { return knownFeatures }
    let found = try FeaturesInUse.read(of: patient, seenBy: account, at: now, in: reader)
    knownPerson = .some(found?.person)
    knownFeatures = found?.features
    return knownFeatures
  }

  /// Returns another patient in the same snapshot, such as one who takes from the same stock.
  package func other(_ patient: PatientID) -> PatientSnapshot {
    if patient == self.patient { return self }
    if let known = others[patient] { return known }
    let other = PatientSnapshot(of: patient, now: now, zones: zones, in: reader)
    others[patient] = other
    return other
  }

  /// Returns the patient's name, zone, language and daily rhythm; nil if there is no such patient.
  package func person() throws(StorageError) -> Person? {
    if let knownPerson { return knownPerson }
    let person = try PeopleRows.load(patient, in: reader)
    knownPerson = .some(person)
    return person
  }

  /// Returns the zone in which the patient's times are shown.
  ///
  /// - Throws: `PlanError.notFound` if there is no such patient, or `PlanError.zone`.
  package func zone() throws(PlanError) -> Zone {
    try planning {
      guard let person = try person() else { throw PlanError.notFound }
      return try zones.zone(person.zone)
    }
  }

  // MARK: Plans

  /// Returns all plans, the oldest first.
  ///
  /// Also reads their limits, and the prescriptions of those that have not ended.
  package func plans() throws(StorageError) -> [PlanRow] {
    if let knownPlans { return knownPlans }
    let rows = try reader.query(Self.plansStatement, [.text(patient)])
    var plans: [PlanRow] = []
    plans.reserveCapacity(rows.count)
    for row in rows {
      let plan = try row.decode(as: PlanRow.self)
      plans.append(plan)
      let rest = row.read(PlanRequestRow.self, after: PlanRow.self)
      bodies[plan.plan] = try rest.optionalText(.body)
      guard let limits = try rest.optionalText(.limits).flatMap(PlanLimits.init(text:)) else {
        continue
      }
      statedByPlans.append((Medicine(plan), limits, plan.status == "active"))
    }
    statedByPlans.sort { ($0.medicine.plan?.text ?? "") < ($1.medicine.plan?.text ?? "") }
    knownPlans = plans
    return plans
  }

  private static let plansStatement = SQLStatement(
    """
    SELECT \(PlanRow.columns), \(PlanRequestRow.columns) FROM \(PlanRow.tables)
    LEFT JOIN plan_limits l ON l.patient = p.patient AND l.plan = p.plan
    LEFT JOIN resources r ON r.type = 'MedicationRequest' AND r.patient = p.patient
      AND r.id = p.plan
      AND p.status NOT IN ('stopped', 'completed', 'cancelled', 'entered-in-error')
    WHERE p.patient = $1 ORDER BY p.created, p.plan
    """)

  /// Returns a plan; nil if the patient has none of that id.
  package func plan(_ id: PlanID) throws(StorageError) -> PlanRow? {
    try plans().first { $0.plan == id }
  }

  /// Returns true if the prescription of a plan that has not ended contains a text; false if it is
  /// not known.
  package func mentions(_ text: String, in plan: PlanRow) -> Bool {
    guard let body = bodies[plan.plan] else { return false }
    // The generic collection search took two thirds of the time needed to read Today. JSON contains no zero
    // bytes.
    return body.withCString { body in text.withCString { strstr(body, $0) != nil } }
  }

  /// Returns false if the prescription of a plan is known to contain none of some texts, so that it need not be parsed.
  ///
  /// An escaped letter counts as any of them.
  package func mayMention(_ texts: [String], in plan: PlanRow) -> Bool {
    guard bodies[plan.plan] != nil else { return true }
    return texts.contains { mentions($0, in: plan) } || mentions("\\u", in: plan)
  }

  /// Returns the patient's limits of plans and ingredients, like ``LimitRows/stated(patient:in:)``.
  package func statedLimits() throws(StorageError) -> [StatedLimits] {
    if let knownLimits { return knownLimits }
    _ = try plans()
    let ofIngredients =
      knownFeatures?.ingredientLimits == false
      ? [] : try IngredientLimits.stated(patient: patient, in: reader)
    let limits = statedByPlans + ofIngredients
    knownLimits = limits
    return limits
  }

  /// Returns the limits of plans, without those of ingredients, by plan.
  package func limitsByPlan() throws(StorageError) -> [PlanID: PlanLimits] {
    _ = try plans()
    return LimitRows.sources(statedByPlans)
  }

  /// Returns the prescription of a plan, from the plans already read if it has not ended.
  ///
  /// - Throws: `StorageError.corrupt` if it cannot be parsed.
  package func request(of plan: PlanRow) throws -> MedicationRequestView {
    if let known = requests[plan.plan] { return known }
    let request: MedicationRequestView
    if let body = bodies[plan.plan] {
      guard let json = try? JSONValue(parsing: Array(body.utf8)) else {
        throw StorageError.corrupt(code: 0)
      }
      request = MedicationRequestView(json)
    } else {
      request = MedicationRequestView(
        try PlanSnapshot.prescription(of: plan.plan, patient: patient, in: reader).json())
    }
    requests[plan.plan] = request
    return request
  }

  /// Returns a plan with its slots and its request.
  package func snapshot(of plan: PlanRow) throws -> PlanSnapshot {
    if let known = snapshots[plan.plan] { return known }
    let request = try request(of: plan)
    if knownSlots == nil { knownSlots = try PlanSlotRows.all(patient: patient, in: reader) }
    let slots = knownSlots?[plan.plan]
    let snapshot = PlanSnapshot(
      row: plan, slots: slots?.slots ?? [], highestSlot: slots?.highest ?? 0, request: request,
      lastIntake: try LastIntake.load(
        request, plan: plan.plan, patient: patient, era: plan.era, in: reader))
    snapshots[plan.plan] = snapshot
    return snapshot
  }

  /// Returns the doses that a plan gives; nil if it gives none.
  package func timeline(of plan: PlanRow) throws -> PlanTimeline? {
    if let known = timelines[plan.plan] { return known }
    guard plan.isRinging, let person = try person() else { return nil }
    let timeline = try snapshot(of: plan).timeline(zones: zones, rhythm: person.rhythm).timeline
    timelines[plan.plan] = .some(timeline)
    return timeline
  }

  // MARK: Doses and intakes

  /// The age up to which dose rows are kept, in milliseconds: the oldest due time that Today shows.
  private static let rowsReach = SnapshotReach.doses

  /// Returns a plan's rows due after an instant, like
  /// ``DoseStore/planned(_:patient:dueAfter:in:)``.
  package func rows(of plan: PlanID, dueAfter instant: Timestamp) throws(StorageError)
    -> [DoseProjectionRow]
  {
    let earliest = now.adding(milliseconds: -Self.rowsReach)
    guard instant >= earliest else {
      return try DoseStore.planned(plan, patient: patient, dueAfter: instant, in: reader)
    }
    if knownRows == nil {
      knownRows = try DoseStore.plannedByPlan(patient: patient, dueAfter: earliest, in: reader)
    }
    return (knownRows?[plan] ?? []).filter { $0.due > instant }
  }

  /// Returns the doses of a plan that a person moved, in every era.
  package func moves(of plan: PlanID) throws(StorageError) -> [MovedDose] {
    if knownFeatures?.movedDoses == false { return [] }
    if knownMoves == nil { knownMoves = try MovedDoses.byPlan(patient: patient, in: reader) }
    return knownMoves?[plan] ?? []
  }

  /// Returns the intakes of the last days, as far back as plans ask about them.
  package func recentIntakes() throws(StorageError) -> RecentIntakes {
    if let knownIntakes { return knownIntakes }
    let found = try RecentIntakes.read(
      of: patient, after: now.adding(milliseconds: -(try intakesReach())), in: reader)
    knownIntakes = found
    return found
  }

  /// Returns the longest minimum gap plus a day; for as-needed medicines at least the reach of their limits
  /// and a week.
  private func intakesReach() throws(StorageError) -> Int64 {
    var reach = SnapshotReach.doses + 1
    for plan in try plans() {
      reach = max(reach, plan.minimumGap ?? 0)
      guard plan.status == "active", plan.unplanned == .asNeeded else { continue }
      let limits = try limitsByPlan()[plan.plan]
      reach = max(reach, SnapshotReach.lastIntake, limits?.reach ?? 0)
    }
    return reach
  }

  /// Returns the unanswered doses that are due or come in the next two days.
  package func openDoses() throws(StorageError) -> [Dose] {
    if let knownOpenDoses { return knownOpenDoses }
    let doses = try DoseStore.between(
      now.adding(milliseconds: -12 * 3_600_000),
      now.adding(milliseconds: SnapshotReach.openDoses), patient: patient,
      most: DoseStore.most, now: now, in: reader
    ).filter { $0.state == .due || $0.state == .scheduled || $0.state == .later }
    knownOpenDoses = doses
    return doses
  }

  /// Returns the medicines that have not ended, to check them for interactions.
  package func takenMedicines() throws(StorageError) -> [Substance] {
    if let knownMedicines { return knownMedicines }
    let medicines = try TakenMedicines.all(patient: patient, now: now, in: reader)
    knownMedicines = medicines
    return medicines
  }

  /// Returns all intakes from an instant until now, in order of time; only an earlier instant
  /// causes another read.
  package func intakes(from instant: Timestamp) throws(StorageError) -> [Intake] {
    if let known = knownHistory, known.from <= instant {
      return known.intakes.filter { $0.taken >= instant }
    }
    let intakes = try IntakeQueries.recent(
      patient: patient, from: instant, until: now.adding(milliseconds: 1), in: reader)
    knownHistory = (instant, intakes)
    return intakes
  }

  /// Returns how often each amount of a medicine was taken in the last days.
  ///
  /// - Parameter medicine: the plan's id, or the ingredient key of the name.
  package func taken(of medicine: String, days: Int64) throws(StorageError) -> [TakenAmount] {
    if let known = knownTaken[days] { return known[medicine] ?? [] }
    let found = try TakenAmount.byMedicine(
      patient: patient, from: now.adding(milliseconds: -days * PlanLimits.day), until: now,
      in: reader)
    knownTaken[days] = found
    return found[medicine] ?? []
  }

  /// Returns the intakes near a time, like
  /// ``IntakeQueries/near(patient:plan:ingredients:around:within:excluding:in:)``.
  package func intakes(
    near at: Timestamp, of medicine: Medicine, within milliseconds: Int64,
    excluding dose: DoseID? = nil
  ) throws(StorageError) -> [Intake] {
    let contents = Ingredient.contents(column: medicine.ingredients)
    let found = try recentIntakes().near(
      at, plan: medicine.plan, ingredients: contents, within: milliseconds, excluding: dose)
    if let found { return found }
    return try IntakeQueries.near(
      patient: patient, plan: medicine.plan, ingredients: contents, around: at,
      within: milliseconds, excluding: dose, in: reader)
  }
}
