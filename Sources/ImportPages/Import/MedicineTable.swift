// SPDX-License-Identifier: Apache-2.0

import Accounts
import Encodings
import FHIR
import Foundation
import HealthData
import Identifiers
import Localization
import People
import Plans
import Prescriptions
import Scheduling
import Web

/// A table of medicines or intakes, converted for the import.
///
/// It is a pure function: mistakes are reported by line, and such a line creates nothing.
struct MedicineTable: Sendable {
  /// A reason that a line was skipped.
  enum Problem: String, Error, Sendable, Hashable, CaseIterable {
    case broken, name, formula, strength, amount, time, date, future, status
    case noTimes = "no-times"
    /// It names days or weeks, but times in a table apply every day.
    case days
    /// The resulting plan is refused.
    case refused
  }

  struct LeftOut: Sendable, Hashable {
    let line: Int
    let problem: Problem
    /// The mistake in the plan, if it would be refused.
    var issue: DraftIssue?
  }

  /// The person for whom it is read.
  struct Reader: Sendable {
    let patient: PatientID
    let today: CivilDate
    let zone: Zone
    let rhythm: DailyRhythm
    let now: Int64
    /// The number that makes the keys of an import differ from those of earlier ones that were
    /// undone.
    let generation: Int
  }

  private(set) var drafts: [(line: Int, draft: PlanDraft)] = []
  private(set) var taken: [(line: Int, resource: JSONValue)] = []
  private(set) var leftOut: [LeftOut] = []

  /// The identifier system of the keys, by which a repeated line is recognized.
  static let keySystem = TableImports.keySystem

  private let reader: Reader
  private let mapping: MedicineTableMapping

  init(
    _ rows: some Sequence<TableText.Row>, broken: [Int], mapping: MedicineTableMapping,
    reader: Reader
  ) {
    self.reader = reader
    self.mapping = mapping
    leftOut = broken.map { LeftOut(line: $0, problem: .broken) }
    if mapping.isHistory {
      for row in rows { readTaken(row) }
    } else {
      readPlans(rows)
    }
    leftOut.sort { $0.line < $1.line }
  }

  // MARK: Plans

  private struct Key: Hashable {
    let name: String
    let rest: [String]
  }

  /// Lines of one medicine that differ only in their times become one plan.
  private mutating func readPlans(_ rows: some Sequence<TableText.Row>) {
    var places: [Key: Int] = [:]
    for row in rows {
      do throws(Problem) {
        let draft = try draft(row.fields)
        let key = Key(
          name: draft.medicineName.lowercased(),
          rest: [
            draft.strengthValue, draft.strengthUnit, draft.doseValue, draft.doseUnit,
            draft.start.text, draft.end?.text, draft.instruction,
          ].map { $0 ?? "" })
        if case .times(let times, _) = draft.schedule, let place = places[key],
          case .times(let known, let days) = drafts[place].draft.schedule
        {
          let more = times.filter { time in !known.contains { $0.time == time.time } }
          drafts[place].draft.schedule = .times(known + more, weekdays: days)
        } else {
          places[key] = places[key] ?? drafts.count
          drafts.append((row.line, draft))
        }
      } catch {
        leftOut.append(LeftOut(line: row.line, problem: error))
      }
    }
    drafts = drafts.filter { line, draft in
      let issue = draft.issues(
        today: reader.today, zone: reader.zone, rhythm: reader.rhythm
      ).first
      guard let issue else { return true }
      leftOut.append(LeftOut(line: line, problem: .refused, issue: issue))
      return false
    }
  }

  private func draft(_ fields: [String]) throws(Problem) -> PlanDraft {
    let name = try name(fields)
    let strength = try strength(text(.strength, fields))
    let dose = try amount(fields) ?? (value: "1", unit: DoseUnit.dose)
    let times = try times(text(.times, fields))
    if !times.isEmpty, fields.contains(where: CertainDays.areNamed) { throw .days }
    let schedule: DraftSchedule
    if times.isEmpty {
      guard mapping.withoutTimes == .asNeeded else { throw .noTimes }
      schedule = .asNeeded(reason: nil)
    } else {
      schedule = .times(times.map { DraftTime(time: $0) }, weekdays: Set(Weekday.allCases))
    }
    let note = text(.note, fields)
    return PlanDraft(
      medicineName: name, strengthValue: strength?.value, strengthUnit: strength?.unit,
      doseValue: dose.value, doseUnit: dose.unit.rawValue, schedule: schedule,
      start: try day(text(.start, fields)) ?? reader.today, end: try day(text(.end, fields)),
      instruction: note.isEmpty ? nil : note)
  }

  // MARK: Intakes

  private mutating func readTaken(_ row: TableText.Row) {
    do throws(Problem) {
      taken.append((row.line, try administration(row.fields)))
    } catch {
      leftOut.append(LeftOut(line: row.line, problem: error))
    }
  }

  private func administration(_ fields: [String]) throws(Problem) -> JSONValue {
    let name = try name(fields)
    let isTaken = try isTaken(text(.status, fields))
    let clock = mapping[.times] == nil ? "" : text(.times, fields)
    let written = text(.taken, fields)
    let zone = reader.zone
    let at = TableMoment.read(
      clock.isEmpty || written.contains(":") ? written : "\(written) \(clock)",
      in: { Int32(clamping: zone.offsetSeconds(at: Instant(milliseconds: $0 * 1_000))) })
    guard let at else { throw .date }
    guard at.seconds * 1_000 <= reader.now else { throw .future }
    let strength = text(.strength, fields)
    let whole = strength.isEmpty ? name : "\(name) \(strength)"
    var resource: JSONValue = [
      "resourceType": "MedicationAdministration",
      "status": isTaken ? "completed" : "not-done",
      "medicationCodeableConcept": ["text": .string(String(whole.prefix(200)))],
      "subject": ["reference": .string("Patient/\(reader.patient)")],
      "effectiveDateTime": .string(
        FHIRDateTime.instantText(
          milliseconds: at.seconds * 1_000, offsetMinutes: Int(at.offset) / 60)),
    ]
    if isTaken, let dose = try amount(fields) {
      resource["dosage"] = ["dose": quantity(dose)]
    }
    let note = text(.note, fields)
    if !note.isEmpty { resource["note"] = [["text": .string(String(note.prefix(500)))]] }
    return resource
  }

  private func quantity(_ dose: (value: String, unit: DoseUnit)) -> JSONValue {
    [
      "value": JSONNumber(text: dose.value).map(JSONValue.number) ?? 0,
      "unit": .string(dose.unit.rawValue), "system": "http://unitsofmeasure.org",
      "code": .string(dose.unit.ucumCode),
    ]
  }

  private func isTaken(_ text: String) throws(Problem) -> Bool {
    let word = text.lowercased().filter { $0.isLetter || $0.isNumber }
    if word.isEmpty || Self.takenWords.contains(word) { return true }
    if Self.skippedWords.contains(word) { return false }
    throw .status
  }

  private static let takenWords: Set<String> = [
    "taken", "yes", "true", "1", "done", "completed", "logged", "genommen", "eingenommen", "ja",
    "tatt", "กินแล้ว", "ใช้แล้ว", "ใช่", "alındı", "evet",
  ]
  private static let skippedWords: Set<String> = [
    "skipped", "missed", "no", "false", "0", "nottaken", "ausgelassen", "übersprungen",
    "vergessen", "nein", "nichtgenommen", "hoppetover", "glemt", "nei", "ikketatt", "ข้าม",
    "ไม่ได้กิน", "ไม่", "atlandı", "unutuldu", "hayır", "alınmadı",
  ]

  // MARK: Cells

  private func text(_ question: MedicineTableMapping.Question, _ fields: [String]) -> String {
    guard let column = mapping[question], column < fields.count else { return "" }
    return fields[column].trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func name(_ fields: [String]) throws(Problem) -> String {
    let name = text(.name, fields)
    guard !name.isEmpty, name.count <= 200 else { throw .name }
    // Text that a spreadsheet would run as a formula is not a medicine.
    guard let first = name.first, !"=+@-|".contains(first),
      !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { throw .formula }
    return name
  }

  private func strength(_ text: String) throws(Problem) -> (value: String, unit: String)? {
    if text.isEmpty { return nil }
    guard let (number, rest) = Self.number(text), !rest.isEmpty, rest.count <= 40 else {
      throw .strength
    }
    return (number, rest)
  }

  /// Returns a number with its unit; nil if the cell is empty.
  private func amount(_ fields: [String]) throws(Problem) -> (value: String, unit: DoseUnit)? {
    let written = text(.amount, fields)
    if written.isEmpty { return nil }
    guard let (number, rest) = Self.number(written) else { throw .amount }
    let words = rest.isEmpty ? text(.unit, fields) : rest
    if words.isEmpty { return (number, .dose) }
    guard let unit = DoseUnit(code: words, text: words.lowercased()) else { throw .amount }
    return (number, unit)
  }

  /// Returns the number at the start of a text, and the rest.
  private static func number(_ text: String) -> (String, String)? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }
    // "1,500" is 1.5 in some countries and 1500 in others.
    guard !TypedText.isAmbiguousNumber(String(digits)),
      let number = DraftText.decimal(String(digits)), Decimal(string: number) ?? 0 > 0
    else { return nil }
    return (number, text.dropFirst(digits.count).trimmingCharacters(in: .whitespaces))
  }

  /// Returns times of day, with any separators.
  private func times(_ text: String) throws(Problem) -> [ClockTime] {
    var times: [ClockTime] = []
    for part in text.split(whereSeparator: { ",;|/ \n".contains($0) }) {
      guard let time = TypedText.clockTime(String(part)) else { throw .time }
      if !times.contains(time) { times.append(time) }
    }
    return times
  }

  /// Returns a date such as `2026-03-01` or `01.03.2026`; slashes are rejected, since 03/04 is
  /// ambiguous.
  private func day(_ text: String) throws(Problem) -> CivilDate? {
    if text.isEmpty { return nil }
    guard let moment = TableMoment.read(text, in: { _ in 0 }),
      let day = CivilDate(text: CivilDays.text(moment.dayNumber))
    else { throw .date }
    return day
  }
}

extension MedicineTable {
  /// The resources as NDJSON lines, each with a key by which a repeated line is recognized.
  var lines: [UInt8] {
    var bytes: [UInt8] = []
    var seen: [String: Int] = [:]
    func add(_ resource: JSONValue) {
      var resource = resource
      let digest = Hexadecimal.encode(Fingerprint.digest(of: resource.bytes).prefix(16))
      let number = seen[digest, default: 0]
      seen[digest] = number + 1
      resource["identifier"] = [
        [
          "system": .string(Self.keySystem),
          "value": .string("\(reader.generation)-\(number)-\(digest)"),
        ]
      ]
      bytes += resource.bytes
      bytes.append(0x0A)
    }
    for (_, draft) in drafts {
      add(
        draft.medicationRequest(
          patient: reader.patient, authoredOn: nil, zone: reader.zone, replacing: nil))
    }
    for (_, resource) in taken { add(resource) }
    return bytes
  }
}
