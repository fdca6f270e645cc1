// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization

/// A Quantity of a dosage that can be expressed: an exact number above zero with its unit.
struct StatedQuantity {
  let number: PlainNumber
  let unit: StatedUnit
  let comparator: String?

  /// Reads a quantity.
  ///
  /// - Parameter unit: the unit of the other end of its range, used if it has none of its own.
  init(
    _ json: JSONValue, _ path: String, in name: String? = nil, unit other: StatedUnit? = nil
  ) throws(DosageRefusal) {
    let view = QuantityView(json)
    func refusal(_ reason: DosageRefusal.Reason) -> DosageRefusal {
      DosageRefusal(name.map { path + "." + $0 } ?? path, reason)
    }
    guard let text = view.valueText, let number = PlainNumber(text: text) else {
      throw refusal(.noValue)
    }
    guard number.isPositive else { throw refusal(.notPositive) }
    guard let unit = StatedUnit(code: view.code, text: view.unit) ?? other else {
      throw refusal(.noUnit)
    }
    self.number = number
    self.unit = unit
    comparator = view.comparator
  }

  private init(_ number: PlainNumber, _ unit: StatedUnit) {
    self.number = number
    self.unit = unit
    comparator = nil
  }

  /// True for one application or injection, which the verb of a sentence may already say.
  var isOneUse: Bool {
    guard comparator == nil, number == PlainNumber(1) else { return false }
    return unit == .known(.application) || unit == .known(.injection)
  }

  /// Returns the same number without the time unit.
  func counted(in unit: DoseUnit, per: [String]) -> StatedQuantity {
    StatedQuantity(number, per.isEmpty ? .known(unit) : .compound(unit, per: per, time: nil))
  }
}

/// A Range of a dosage, with one or both ends.
struct StatedRange {
  let low: StatedQuantity?
  let high: StatedQuantity?

  /// Reads a range.
  ///
  /// - Parameter other: the unit if neither end has one.
  init(
    _ json: JSONValue, _ parent: String, in name: String? = nil, unit other: StatedUnit? = nil
  ) throws(DosageRefusal) {
    let path = name.map { parent + "." + $0 } ?? parent
    // A unit at only one end is meant for both.
    let lowView = json["low"].map(QuantityView.init)
    let highView = json["high"].map(QuantityView.init)
    let lowUnit = lowView.flatMap { StatedUnit(code: $0.code, text: $0.unit) }
    let highUnit = highView.flatMap { StatedUnit(code: $0.code, text: $0.unit) }
    var ends: [StatedQuantity?] = []
    for (view, unit) in [(lowView, highUnit), (highView, lowUnit)] {
      if let view {
        ends.append(try StatedQuantity(view.json, path, unit: unit ?? other))
      } else {
        ends.append(nil)
      }
    }
    (low, high) = (ends[0], ends[1])
    guard low != nil || high != nil else { throw DosageRefusal(path, .noValue) }
    if let low, let high, low.unit == high.unit, high.number.isLess(than: low.number) {
      throw DosageRefusal(path, .belowMinimum)
    }
  }
}

extension StatedRange {
  /// The kind: `range` if both ends are stated, for languages whose preposition then differs.
  var kind: String {
    guard let low, let high else { return "one" }
    return low.number == high.number && low.unit == high.unit ? "one" : "range"
  }
}

/// The unit of an amount.
enum StatedUnit: Hashable {
  /// A unit with words in every language.
  case known(DoseUnit)
  /// A length of time, by its UCUM code.
  case time(String)
  /// A known unit per another quantity, such as `mg/kg`, or per length of time, such as `mL/h`.
  case compound(DoseUnit, per: [String], time: String?)
  /// The sender's own word.
  case word(String)
  /// No unit where one is needed.
  case unstated

  /// Creates a unit; nil if neither code nor text says anything.
  init?(code: String?, text: String?) {
    if let unit = DoseUnit(code: code, text: text) {
      self = .known(unit)
    } else if let time = code.flatMap(TimeWord.code) ?? text.flatMap(TimeWord.code) {
      self = .time(time)
    } else if let compound = code.flatMap(Self.parts) ?? text.flatMap(Self.parts) {
      self = compound
    } else {
      let word = UnitAnnotation.word(code: code, text: text)
      if word.isEmpty { return nil }
      self = .word(word)
    }
  }

  /// The known unit, which selects the verb.
  var doseUnit: DoseUnit? {
    switch self {
    case .known(let unit), .compound(let unit, _, _): unit
    case .time, .word, .unstated: nil
    }
  }

  private static let measures: Set<String> = ["kg", "m2", "L", "mL", "g", "mg"]

  private static func parts(_ code: String) -> StatedUnit? {
    let parts = code.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard (2...3).contains(parts.count), let unit = DoseUnit(code: parts[0], text: nil) else {
      return nil
    }
    let time = parts.last.flatMap(TimeWord.code)
    let measures = time == nil ? parts.dropFirst() : parts.dropFirst().dropLast()
    guard measures.allSatisfy(Self.measures.contains) else { return nil }
    return .compound(unit, per: Array(measures), time: time)
  }
}

/// Lengths of time by the names that senders use.
enum TimeWord {
  /// Returns the UCUM code `s min h d wk mo a` of a code or word; nil for any other.
  static func code(_ word: String) -> String? {
    codes[word] ?? (word.utf8.count > 3 ? codes[word.lowercased()] : nil)
  }

  private static let codes: [String: String] = [
    "s": "s", "sec": "s", "second": "s", "seconds": "s", "sekunde(n)": "s",
    "min": "min", "minute": "min", "minutes": "min", "minute(n)": "min", "minuten": "min",
    "h": "h", "hr": "h", "hrs": "h", "hour": "h", "hours": "h", "stunde(n)": "h", "stunden": "h",
    "stunde": "h", "d": "d", "day": "d", "days": "d", "tag(e)": "d", "tage": "d", "tag": "d",
    "wk": "wk", "week": "wk", "weeks": "wk", "woche(n)": "wk", "woche": "wk", "wochen": "wk",
    "mo": "mo", "month": "mo", "months": "mo", "monat(e)": "mo", "monat": "mo", "monate": "mo",
    "a": "a", "year": "a", "years": "a", "jahr(e)": "a", "jahr": "a", "jahre": "a",
  ]
}
