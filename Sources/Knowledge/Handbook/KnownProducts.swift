// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A form and strength in which a medicine of the list is sold.
public struct KnownProduct: Sendable, Hashable {
  /// The form in the plan's vocabulary, such as `tablet`.
  public let form: String
  /// The strength of one unit, a decimal with a point.
  public let strength: String
  /// The unit of the strength, such as `mg` or `mg/mL`.
  public let unit: String
  /// The strength as the list and packages state it, such as `100 mg/5 mL`; nil if it is the same.
  public var printed: String?
}

extension CatalogueMedicine {
  /// The forms and strengths that the list states clearly; empty for combinations.
  ///
  /// A part of the text that is not fully understood is left out: a person chooses from these.
  public var products: [KnownProduct] {
    guard ingredients.count == 1 else { return [] }
    var found: [KnownProduct] = []
    for part in forms.split(separator: ";") {
      for product in ProductReader(part.prefix { $0 != "(" }).products
      where !found.contains(product) {
        found.append(product)
      }
    }
    return found
  }
}

/// Reads one part of a list of forms, such as `cap/tab 250/500 mg` or `susp 100 mg/5 mL`.
private struct ProductReader {
  /// The forms in the plan's vocabulary, by the words of the list.
  private static let forms = [
    "tab": "tablet", "ODT": "tablet", "chew": "tablet", "infatab": "tablet", "SL": "tablet",
    "cap": "capsule", "susp": "liquid", "syrup": "liquid", "solution": "liquid",
    "elixir": "liquid", "drops": "drops", "sachet": "sachet", "sachets": "sachet",
    "supp": "suppository", "patch": "patch", "MDI": "puff", "DPI": "puff", "cream": "cream",
    "gel": "cream", "oint": "cream", "lotion": "cream",
  ]
  /// Words that do not change the form or the strength.
  private static let others: Set<String> = [
    "SR", "MR", "ER", "XL", "CR", "EC", "infant", "powder", "for", "oral", "nose",
  ]
  private static let units = ["mg": "mg", "mcg": "microgram", "g": "g", "IU": "IU"]
  private static let solid: Set<String> = [
    "tablet", "capsule", "sachet", "suppository", "patch", "puff",
  ]

  private let words: [Substring]

  init(_ part: Substring) {
    words = part.split(separator: " ")
  }

  var products: [KnownProduct] {
    var rest = words[...]
    var named: [String] = []
    while let word = rest.first, word.first?.isNumber == false {
      let found = word.split(separator: "/").map { Self.forms[String($0)] }
      if found.allSatisfy({ $0 != nil }) {
        named += found.compactMap(\.self)
      } else if !Self.others.contains(String(word)) {
        return []
      }
      rest = rest.dropFirst()
    }
    guard let found = strengths(rest) else { return [] }
    return named.filter { fits($0, found.unit) }.flatMap { form in
      found.values.map { value in
        KnownProduct(
          form: form, strength: value.strength, unit: found.unit, printed: value.printed)
      }
    }
  }

  private func fits(_ form: String, _ unit: String) -> Bool {
    switch unit {
    case "%": form == "cream" || form == "drops"
    case let unit where unit.hasSuffix("/mL"): form == "liquid" || form == "drops"
    default: Self.solid.contains(form)
    }
  }

  private typealias Strengths = (values: [(strength: String, printed: String?)], unit: String)

  private func plain(_ values: [Decimal], _ unit: String) -> Strengths {
    (values.map { ($0.description, nil) }, unit)
  }

  /// Returns the numbers with their unit; nil if there is any other text.
  private func strengths(_ words: ArraySlice<Substring>) -> Strengths? {
    var rest = words
    guard let first = rest.popFirst() else { return nil }
    if first.last == "%" {
      let values = first.split(separator: "/").map { String($0.filter { $0 != "%" }) }
      guard rest.isEmpty, let found = numbers(values) else { return nil }
      return plain(found, "%")
    }
    guard var values = numbers(first.split(separator: "/").map(String.init)) else { return nil }
    if rest.first == "or", let more = rest.dropFirst().first,
      let others = numbers(more.split(separator: "/").map(String.init))
    {
      values += others
      rest = rest.dropFirst(2)
    }
    guard let unit = rest.popFirst() else { return nil }
    if let known = Self.units[String(unit)], rest.isEmpty {
      return plain(values, known)
    }
    // "mg/mL", "mg/5 mL" and "mg per 5 mL".
    let parts = unit.split(separator: "/")
    guard let known = parts.first.flatMap({ Self.units[String($0)] }) else { return nil }
    switch (parts.count, Array(rest)) {
    case (2, []) where parts[1] == "mL": return content(values, known, of: 1)
    case (2, ["mL"]):
      return Decimal(string: String(parts[1])).flatMap { content(values, known, of: $0) }
    case (1, let words) where words.count == 3 && words[0] == "per" && words[2] == "mL":
      return Decimal(string: String(words[1])).flatMap { content(values, known, of: $0) }
    default: return nil
    }
  }

  /// Returns the content of one millilitre; nil if it is not a short decimal.
  private func content(_ values: [Decimal], _ unit: String, of volume: Decimal) -> Strengths? {
    guard volume > 0 else { return nil }
    var found: [(strength: String, printed: String?)] = []
    for value in values {
      let strength = ((unit == "g" ? value * 1_000 : value) / volume).description
      guard strength.count <= 7 else { return nil }
      found.append((strength, volume == 1 ? nil : "\(value) \(unit)/\(volume) mL"))
    }
    return (found, "\(unit == "g" ? "mg" : unit)/mL")
  }

  private func numbers(_ texts: [String]) -> [Decimal]? {
    let found = texts.map { text -> Decimal? in
      guard !text.isEmpty, text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }) else {
        return nil
      }
      return Decimal(string: text)
    }
    let positive = found.compactMap(\.self).filter { $0 > 0 }
    return positive.isEmpty || positive.count < texts.count ? nil : positive
  }
}
