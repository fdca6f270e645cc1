// SPDX-License-Identifier: Apache-2.0

/// Words in a table that indicate that a medicine is not taken every day.
///
/// The times in a table apply every day. A line that says otherwise, in whichever column, is
/// skipped, so that nothing weekly becomes daily.
enum CertainDays {
  static func areNamed(in cell: String) -> Bool {
    let plain = cell.lowercased()
    if phrases.contains(where: plain.contains) { return true }
    return plain.split(whereSeparator: { !$0.isLetter }).contains { words.contains(String($0)) }
  }

  private static let words: Set<String> = [
    "weekly", "fortnightly", "biweekly", "monthly", "monday", "mondays", "tuesday", "tuesdays",
    "wednesday", "wednesdays", "thursday", "thursdays", "friday", "fridays", "saturday",
    "saturdays", "sunday", "sundays",
    "wöchentlich", "monatlich", "montag", "montags", "dienstag", "dienstags", "mittwoch",
    "mittwochs", "donnerstag", "donnerstags", "freitag", "freitags", "samstag", "samstags",
    "sonntag", "sonntags",
    "ukentlig", "månedlig", "mandag", "mandager", "tirsdag", "tirsdager", "onsdag", "onsdager",
    "torsdag", "torsdager", "fredag", "fredager", "lørdag", "lørdager", "søndag", "søndager",
    "haftalık", "haftada", "aylık", "pazartesi", "salı", "çarşamba", "perşembe", "cuma",
    "cumartesi",
  ]
  private static let phrases = [
    "a week", "per week", "every week", "other day", "alternate day", "every second day",
    "a month", "pro woche", "in der woche", "jede woche", "jeden zweiten tag", "alle zwei tage",
    "pro monat", "i uken", "per uke", "hver uke", "annenhver dag", "i måneden", "her hafta",
    "gün aşırı", "ayda bir", "สัปดาห์", "วันเว้นวัน", "วันจันทร์", "วันอังคาร", "วันพุธ",
    "วันพฤหัส", "วันศุกร์", "วันเสาร์", "วันอาทิตย์", "เดือนละ",
  ]
}
