// SPDX-License-Identifier: Apache-2.0

/// Words in a table that indicate that a medicine is not taken every day.
///
/// The times in a table apply every day. A line that contradicts this in any column is skipped, so
/// that nothing weekly becomes daily.
enum CertainDays {
  static func areNamed(in cell: String) -> Bool {
    let plain = cell.lowercased()
    if phrases.contains(where: plain.contains) || hasInterval(plain) { return true }
    let found = plain.split(whereSeparator: { !$0.isLetter }).map(String.init)
    return found.contains(where: words.contains) || areAbbreviations(found)
  }

  /// Returns true for "3x/week", "every 2 days" and similar.
  private static func hasInterval(_ plain: String) -> Bool {
    plain.contains(/\d[ x×]{0,3}\/ ?(?:week|wk|woche|uke|hafta)/)
      || plain.contains(
        /(?:every|alle|hver|her) (?:[2-9]|[1-9]\d{1,2})\.? ?(?:days|weeks|tage|wochen|dag|uke|gün)/)
      || plain.contains(/(?:[2-9]|[1-9]\d{1,2}) ?(?:günde|haftada) bir/)
  }

  /// Returns true for a cell that contains only short names of days, such as "Mon, Thu".
  ///
  /// Within a sentence they may be other words, such as "do" or "sun".
  private static func areAbbreviations(_ words: [String]) -> Bool {
    let days = words.filter { !links.contains($0) }
    return !days.isEmpty && days.allSatisfy(abbreviations.contains)
  }

  private static let links: Set<String> = ["and", "und", "og", "ve", "to", "bis", "til"]
  private static let abbreviations: Set<String> = [
    "mon", "tue", "tues", "wed", "thu", "thur", "thurs", "fri", "sat", "sun",
    "mo", "di", "mi", "do", "fr", "sa", "so",
    "man", "tir", "ons", "tor", "fre", "lør", "søn",
    "pzt", "sal", "çar", "per", "cum", "cmt", "paz",
    "จ", "อ", "พ", "พฤ", "ศ", "ส", "อา",
  ]

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
