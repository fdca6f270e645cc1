// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Web

/// Ann at 08:05, with a ringing dose of 08:00 and everything that an answer changes.
///
/// Its plan is timed from the last intake, and a supply counts it. There is an older dose too.
/// ``arm()`` adds a question about her heart rate, messages to relatives, and a month that the
/// statistics have closed.
struct AnswerHouse: Sendable {
  /// A dose to answer, with the time at which it was taken.
  struct Due: Sendable {
    let dose: String
    let plan: PlanID
    let medicine: String
    let at: String
  }

  static let sixHours: Int64 = 6 * 3_600_000
  private static let hour: Int64 = 3_600_000
  private static let warning = "warning-1"

  let harness: ServerHarness
  let person: Person
  let browser: Browser
  let open: Due
  let old: Due

  /// - Parameters:
  /// - request: Creates the prescription of the plan from a medicine's name and the patient.
  /// - hasStock: False for no supply.
  init(
    _ harness: ServerHarness, request: (String, PatientID) -> JSONValue = timedFromLastIntake,
    hasStock: Bool = true
  ) async throws {
    self.harness = harness
    // At 05:00: the first count of the supply comes before every intake.
    harness.clock.set(back: 2 * Self.hour)
    person = try await Person.make(harness)
    browser = try await harness.session(of: person.account)
    let created = try await person.post(
      "/fhir/MedicationRequest",
      request("Metoprolol 50 mg", person.account.patient))
    #expect(created.status == .created, "\(created.text)")
    let plan = PlanID(try #require(try created.json()["id"]?.string))
    open = Due(
      dose: try await person.dose(of: plan), plan: plan, medicine: "Metoprolol 50 mg",
      at: "2026-03-01T08:04:00Z")
    let past = try await person.event("2026-03-02T09:00:00Z", name: "Oldolol")
    let listed = try await person.doses(Person.days).first { $0["plan"]?.string == past.text }
    old = Due(
      dose: try #require(listed?["id"]?.string), plan: past, medicine: "Oldolol",
      at: "2026-01-31T09:00:00Z")
    if hasStock {
      let counted = try await browser.post(
        "/stock/new",
        pairs: [("medicine", plan.text), ("unit", "tablet"), ("amount", "30"), ("form", "blister")])
      #expect(counted.status == .seeOther, "\(counted.text)")
    }
    harness.clock.advance(minutes: 180)
    await harness.ring()
    harness.clock.advance(minutes: 5)
    await harness.ring()
  }

  /// Returns a MedicationRequest of one tablet, first at 08:00 UTC, then six hours after the last.
  static func timedFromLastIntake(_ name: String, of patient: PatientID) -> JSONValue {
    prescription(
      name, of: patient,
      [
        "extension": [["url": "urn:regimen:after-intake", "valueBoolean": true]],
        "timing": [
          "repeat": [
            "boundsPeriod": ["start": "2026-03-01T08:00:00Z"], "frequency": 1, "period": 6,
            "periodUnit": "h",
          ]
        ],
      ])
  }

  /// Returns a MedicationRequest of one tablet at 08:00 each day.
  static func daily(_ name: String, of patient: PatientID) -> JSONValue {
    prescription(
      name, of: patient,
      [
        "timing": [
          "repeat": ["frequency": 1, "period": 1, "periodUnit": "d", "timeOfDay": ["08:00:00"]]
        ]
      ])
  }

  private static func prescription(
    _ name: String, of patient: PatientID, _ dosage: JSONValue
  ) -> JSONValue {
    var dosage = dosage
    dosage["doseAndRate"] = [["doseQuantity": ["value": 1, "unit": "tablet"]]]
    return [
      "resourceType": "MedicationRequest", "status": "active", "intent": "order",
      "medicationCodeableConcept": ["text": .string(name)],
      "subject": ["reference": .string("Patient/\(patient)")], "dosageInstruction": [dosage],
    ]
  }

  /// Returns a MedicationAdministration as another system sends it.
  func administration(
    _ number: String, of medicine: String, at time: String, request: String
  ) -> JSONValue {
    [
      "resourceType": "MedicationAdministration", "status": "completed",
      "identifier": [["system": "urn:clinic", "value": .string(number)]],
      "medicationCodeableConcept": ["text": .string(medicine)],
      "subject": ["reference": .string("Patient/\(person.account.patient)")],
      "request": ["reference": .string(request)], "effectiveDateTime": .string(time),
      "dosage": ["dose": ["value": 1, "unit": "tablet"]],
    ]
  }

  // MARK: Consequences

  /// Writes the data that the answer will change.
  func arm() async throws {
    let (patient, old, now) = (person.account.patient, old, harness.clock.now)
    let account = person.account.id
    let later = now.adding(milliseconds: Self.hour)
    let month: Int64 = 30 * 86_400_000
    try await harness.environment.database.write { writer in
      try writer.execute(
        """
        UPDATE doses SET due = due - $1, on_time_until = on_time_until - $1,
          late_until = late_until - $1
        WHERE patient = $2 AND plan = $3
        """, [.integer(month), .text(patient), .text(old.plan)])
      // March is the first month that is still open.
      try writer.execute(
        """
        UPDATE plans SET statistics_through = $1, statistics_zone = 'UTC'
        WHERE patient = $2 AND plan = $3
        """, [.integer(2026 * 12 + 2), .text(patient), .text(old.plan)])
      try writer.execute(
        """
        INSERT INTO heart_rate_warnings (patient, warning, kind, day, created, method, is_monitored,
          heart_rate, usual, boundary, doses_in_doubt)
        VALUES ($1, $2, 'heart', '2026-03-01', $3, 'boundary', 1, 85000, 60000, 80000, 0)
        """, [.text(patient), .text(Self.warning), SQLValue(now)])
      try writer.execute(
        """
        INSERT INTO reminders (patient, subject, kind, generation, started, step, next_at, due, ends,
          fresh_until, handed_over, state, opened)
        VALUES ($1, $2, 'warning', 1, $3, 1, $4, $3, $4, $4, $3, 'ringing', $3)
        """, [.text(patient), .text(Self.warning), SQLValue(now), SQLValue(later)])
      try writer.execute(
        """
        INSERT INTO message_checks (patient, next_look) VALUES ($1, $2)
        ON CONFLICT (patient) DO UPDATE SET next_look = excluded.next_look
        """, [.text(patient), SQLValue(later)])
      try writer.execute(
        """
        INSERT INTO fhir_subscriptions (subscription, account, credential, topic, version, changed,
          state, body_sealed, secret_sealed, events, delivered, looked, next_try, attempt, failures)
        VALUES ('program', $1, 'token', 'administration', 1, $2, 'active', $3, $3, 0, 0, $2, $2, 0, 0)
        """, [.text(account), SQLValue(now), .blob([])])
    }
  }

  /// Records that the doses after the open one, taken late, were moved.
  func moveDosesAfterOpenOne() async throws {
    let (patient, plan, now) = (person.account.patient, open.plan, harness.clock.now)
    try await harness.environment.database.write { writer in
      try writer.execute(
        """
        INSERT INTO dose_reschedulings (patient, plan, era, occurrence, taken, decision, decided, account)
        SELECT patient, plan, era, occurrence, answered_at, 'moved', $1, 'test' FROM doses
        WHERE patient = $2 AND plan = $3 AND state = 'taken'
        """, [SQLValue(now), .text(patient), .text(plan)])
    }
  }

  /// Returns the rows of a consequence as text, which changes once it is carried out; nil for an
  /// unknown name.
  func trace(of consequence: String) async throws -> String? {
    let patient = SQLValue(person.account.patient)
    switch consequence {
    case "intakes":
      return try await lines(
        """
        SELECT administration, COALESCE(plan, ''), taken FROM intakes WHERE patient = $1
        ORDER BY administration
        """, [patient])
    case "stock":
      return try await lines(
        "SELECT number, kind, amount FROM stock_entries WHERE owner = $1 ORDER BY number",
        [patient])
    case "reminder":
      return try await lines(
        "SELECT state, next_at FROM reminders WHERE patient = $1 AND kind = 'doses'", [patient])
    case "rollup":
      return try await lines(
        "SELECT statistics_through FROM plans WHERE patient = $1 AND plan = $2",
        [patient, .text(old.plan)])
    case "heart-rate warnings":
      return try await lines(
        "SELECT state FROM reminders WHERE patient = $1 AND subject = $2",
        [patient, .text(Self.warning)])
    case "messages":
      return try await lines("SELECT next_look FROM message_checks WHERE patient = $1", [patient])
    case "doses timed from the last intake":
      return try await followedIntakes()
    case "doses moved for a late one":
      return try await lines(
        "SELECT COUNT(*) FROM dose_reschedulings WHERE patient = $1", [patient])
    case "follow-ups":
      return try await lines(
        "SELECT administration, due FROM follow_ups WHERE patient = $1 ORDER BY administration",
        [patient])
    case "sites":
      return try await lines(
        "SELECT administration, used FROM site_uses WHERE patient = $1 ORDER BY administration",
        [patient])
    case "subscriptions":
      return try await lines(
        "SELECT id, version FROM fhir_events WHERE patient = $1 ORDER BY id, version", [patient])
    default:
      return nil
    }
  }

  private func lines(_ sql: StaticString, _ arguments: [SQLValue]) async throws -> String {
    try await harness.environment.database.read { reader in
      try reader.query(sql, arguments).map { row in
        (0..<row.count).map { "\(row[$0])" }.joined(separator: " ")
      }.joined(separator: "\n")
    }
  }

  /// Returns the last intakes that the next dose of their plan follows six hours later.
  private func followedIntakes() async throws -> String {
    let (patient, now) = (person.account.patient, harness.clock.now)
    return try await harness.environment.database.read { reader in
      let intakes = try reader.query(
        """
        SELECT i.plan, MAX(i.taken) FROM intakes i
        JOIN plans p ON p.patient = i.patient AND p.plan = i.plan AND p.kind = 'elapsed'
        WHERE i.patient = $1 GROUP BY i.plan ORDER BY i.plan
        """, [.text(patient)])
      var followed: [String] = []
      for row in intakes {
        let (plan, taken) = (try row.text(0), try row.timestamp(1))
        let next = try reader.first(
          """
          SELECT due FROM doses WHERE patient = $1 AND plan = $2 AND due > $3 AND state = 'open'
          ORDER BY due LIMIT 1
          """, [.text(patient), .text(plan), SQLValue(now)])
        guard let due = try next?.timestamp(0),
          due == taken.adding(milliseconds: Self.sixHours)
        else { continue }
        followed.append("\(plan) \(taken.milliseconds)")
      }
      return followed.joined(separator: "\n")
    }
  }
}
