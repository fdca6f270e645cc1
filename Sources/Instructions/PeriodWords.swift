// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization

/// Finds days, weeks and months in the sender's own text that the dosage's elements do not state.
///
/// A text such as `once weekly` next to elements that say once a day must never disappear: a weekly medicine
/// taken daily can kill. A word too many only shows the sender's text once more.
enum PeriodWords {
  /// Returns the words of a text for a period that no element states, in the order of the text.
  static func words(in text: String, missingIn dosage: DosageView) -> [String] {
    let words = text.lowercased().split { !$0.isLetter }.map(String.init)
    var stated: Set<String> = []
    collect(dosage.json, key: "", &stated)
    if !isOtherThanDaily(dosage.timing) { stated.insert("d") }
    var result: [String] = []
    for word in words where !result.contains(word) {
      let periods = table.filter { row in
        row.beginnings.contains { word.hasPrefix($0) } || row.parts.contains { word.contains($0) }
      }
      if !periods.isEmpty, periods.allSatisfy({ !stated.contains($0.unit) }) { result.append(word) }
    }
    return result
  }

  /// Returns true if a Timing repeats by weekdays, weeks, months or years.
  private static func isOtherThanDaily(_ timing: TimingView?) -> Bool {
    guard let timing else { return false }
    let units = ["wk", "mo", "a"]
    return units.contains(timing.repeatObject?["periodUnit"]?.string ?? "")
      || (1...6).contains(Set(timing.dayOfWeek).count)
  }

  private static func collect(_ value: JSONValue, key: String, _ stated: inout Set<String>) {
    switch value {
    case .string(let text):
      guard ["periodUnit", "durationUnit", "unit", "code"].contains(key),
        let unit = TimeWord.code(text.lowercased()), unit != "d"
      else { return }
      stated.insert(unit)
    case .array(let items):
      for item in items { collect(item, key: key, &stated) }
    case .object(let object):
      if value["dayOfWeek"] != nil { stated.insert("wk") }
      // Two weeks may be stated as 14 days, and a month as 28 or 30.
      let unit = (value["periodUnit"] ?? value["code"] ?? value["unit"])?.string ?? ""
      if TimeWord.code(unit) == "d" {
        for name in ["period", "periodMax", "value"] {
          guard let days = value.exact(name)?.integer else { continue }
          if days % 7 == 0 { stated.insert("wk") }
          if days % 28 == 0 || days % 30 == 0 { stated.insert("mo") }
        }
      }
      for (key, value) in object { collect(value, key: key, &stated) }
    case .null, .bool, .number: return
    }
  }

  /// The words of a unit: beginnings of words, and parts of a text in languages without spaces.
  private struct Row {
    let unit: String
    let beginnings: [String]
    var parts: [String] = []
  }

  private static let table: [Row] = [
    Row(
      unit: "d",
      beginnings: [
        "daily", "täglich", "daglig", "günde", "günlük", "quotidien", "diari", "dagelijks",
      ],
      parts: ["วันละ", "ทุกวัน"]),
    Row(
      unit: "wk",
      beginnings: [
        "week", "woche", "wöchent", "uke", "uka", "hafta", "semaine", "hebdo", "semana",
        "settiman", "weken", "wekel",
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
        "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonnabend",
        "sonntag",
        "mandag", "tirsdag", "onsdag", "torsdag", "fredag", "lørdag", "søndag",
        "pazar", "salı", "çarşamba", "perşembe", "cuma",
        "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche",
        "lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo",
        "luned", "marted", "mercoled", "gioved", "venerd", "sabato", "domenica",
        "feira", "maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag",
      ],
      parts: [
        "สัปดาห์", "อาทิตย์", "วันจันทร์", "วันอังคาร", "วันพุธ", "วันพฤหัส", "วันศุกร์",
        "วันเสาร์",
      ]),
    Row(
      unit: "mo",
      beginnings: [
        "month", "monat", "måned", "ayda", "aylık", "mois", "mensu", "mensa", "mensil", "meses",
        "mese", "mesi", "maand",
      ],
      parts: ["เดือน"]),
  ]
}
