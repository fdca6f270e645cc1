// SPDX-License-Identifier: Apache-2.0

import Web

/// The meaning of a medicine table's columns.
struct MedicineTableMapping: Sendable, Hashable {
  /// The questions that a mapping answers, by the names of the form's fields.
  enum Question: String, Sendable, Hashable, CaseIterable {
    case name, strength, amount, unit, times, start, end, note, taken, status
  }

  /// The handling of a medicine without a time of day.
  enum WithoutTimes: String, Sendable, Hashable, CaseIterable {
    /// It is skipped and listed.
    case leaveOut = "leave-out"
    /// It is taken as needed, without reminders.
    case asNeeded = "as-needed"
  }

  private var columns: [Question: Int] = [:]
  var withoutTimes = WithoutTimes.leaveOut

  init() {}

  /// The column of a question, counted from 0.
  subscript(question: Question) -> Int? {
    get { columns[question] }
    set { columns[question] = newValue }
  }

  /// True if the rows are intakes rather than plans.
  var isHistory: Bool { columns[.taken] != nil }

  /// Returns true if it is sufficient: every row must name its medicine.
  func fits(columns count: Int) -> Bool {
    columns[.name] != nil && columns.values.allSatisfy { (0..<count).contains($0) }
  }

  /// Reads the form.
  init(_ form: FormBody) {
    for question in Question.allCases {
      if let number = form.text(Self.field(question)).flatMap({ Int($0) }), number > 0 {
        columns[question] = number - 1
      }
    }
    withoutTimes =
      form.text(Self.withoutTimesField).flatMap(WithoutTimes.init) ?? .leaveOut
  }

  static func field(_ question: Question) -> String { "column-\(question.rawValue)" }
  static let withoutTimesField = "without-times"

  /// Recognizes the names of columns in five languages; unknown ones have no answer.
  init(guessedFrom header: [String]) {
    let plain = header.map { name in
      // A Turkish İ keeps its dot as a combining mark.
      let lower = name.prefix { $0 != "(" && $0 != "[" }.lowercased().unicodeScalars
        .filter { $0.value != 0x0307 }
      return String(String.UnicodeScalarView(lower)).filter(\.isLetter)
    }
    for question in Question.allCases {
      // The first known name wins, not the first column.
      let place = (Self.names[question] ?? []).lazy.compactMap { plain.firstIndex(of: $0) }.first
      if let place, !columns.values.contains(place) { columns[question] = place }
    }
  }

  private static let names: [Question: [String]] = [
    .name: [
      "medicine", "medication", "medicinename", "medicationname", "drug", "drugname", "medikament",
      "arzneimittel", "präparat", "arznei", "wirkstoff", "medisin", "legemiddel", "preparat",
      "medisinnavn", "ยา", "ชื่อยา", "ilaç", "ilaçadı", "ilacınadı", "name", "navn", "ad",
    ],
    .strength: ["strength", "stärke", "wirkstärke", "styrke", "ความแรง", "güç", "etkinlik"],
    .amount: [
      "dose", "amount", "dosage", "quantity", "dosis", "menge", "einzeldosis", "anzahl", "mengde",
      "antall", "ขนาด", "ขนาดยา", "จำนวน", "doz", "miktar", "adet",
    ],
    .unit: ["unit", "units", "doseunit", "einheit", "enhet", "หน่วย", "birim"],
    .times: [
      "times", "timesofday", "remindertime", "remindertimes", "schedule", "uhrzeit", "uhrzeiten",
      "zeiten", "einnahmezeit", "einnahmezeiten", "klokkeslett", "tidspunkt", "tidspunkter",
      "tider", "เวลา", "saat", "saatler", "time",
    ],
    .start: [
      "start", "startdate", "from", "beginn", "startdatum", "von", "startdato", "fra", "วันเริ่ม",
      "เริ่ม", "başlangıç", "başlangıçtarihi",
    ],
    .end: [
      "end", "enddate", "until", "ende", "enddatum", "bis", "sluttdato", "slutt", "til", "สิ้นสุด",
      "วันสิ้นสุด", "bitiş", "bitiştarihi",
    ],
    .note: [
      "note", "notes", "instruction", "instructions", "comment", "hinweis", "notiz", "bemerkung",
      "merknad", "notat", "หมายเหตุ", "not", "açıklama",
    ],
    .taken: [
      "taken", "takenat", "takentime", "timetaken", "logged", "datetaken", "timestamp", "datetime",
      "eingenommen", "eingenommenam", "genommen", "tatt", "tidspunkttatt", "กินเมื่อ", "ใช้เมื่อ",
      "alındı", "alınmazamanı",
    ],
    .status: ["status", "state", "action", "ergebnis", "handling", "สถานะ", "durum"],
  ]
}
