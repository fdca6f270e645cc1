// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Units that consist of, or end with, a UCUM annotation in braces, such as `{tablet}` and `mg{total}`.
///
/// An annotation is a word for people that UCUM gives no meaning.
public enum UnitAnnotation {
  /// Returns a unit without braces: `strip` for `{strip}`, `mL juice` for `mL{juice}`; empty if there is
  /// only the unity `1` or nothing.
  public static func word(_ unit: String) -> String {
    let (base, annotation) = parts(unit)
    return [base, annotation].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Returns the word of an amount's unit: its text, else its code; empty if neither says anything.
  public static func word(code: String?, text: String?) -> String {
    let word = text.map { Self.word($0) } ?? ""
    return word.isEmpty ? code.map { Self.word($0) } ?? "" : word
  }

  /// Returns the unit before the annotation and the words in it; both are empty for the unity.
  static func parts(_ unit: String) -> (base: String, annotation: String) {
    let trimmed = unit.trimmingCharacters(in: .whitespaces)
    guard let open = trimmed.firstIndex(of: "{"), trimmed.last == "}" else {
      return (trimmed == "1" ? "" : trimmed, "")
    }
    let base = trimmed[..<open].trimmingCharacters(in: .whitespaces)
    let words = trimmed[trimmed.index(after: open)...].dropLast()
      .filter { $0 != "{" && $0 != "}" }.replacing("_", with: " ")
      .trimmingCharacters(in: .whitespaces)
    return (base == "1" ? "" : base, words)
  }
}

extension DoseUnit {
  /// Returns the known unit in an annotation such as `{Tablets}`, `{tablet(s)}` or `mg{total}`; nil for a
  /// unit without one, and for an unknown word.
  static func annotated(_ unit: String) -> DoseUnit? {
    guard unit.last(where: { $0 != " " }) == "}" else { return nil }
    let (base, annotation) = UnitAnnotation.parts(unit)
    if !base.isEmpty { return DoseUnit(code: base, word: base.lowercased()) }
    let word = annotation.lowercased().replacing("(s)", with: "")
    return word.isEmpty ? nil : DoseUnit(code: "{\(word)}", word: word)
  }
}

extension Speaker {
  /// Returns an amount as in a sentence: with the unit's name if it is known, else with the sender's own
  /// word, else with the news that no unit is stated.
  public func amount(_ value: Decimal, code: String?, unit: String?) -> String {
    if let known = DoseUnit(code: code, text: unit) { return amount(value, known) }
    return amount(number(value), word: UnitAnnotation.word(code: code, text: unit))
  }

  /// Returns a number with the sender's own word for the unit, which may be empty.
  public func amount(_ number: String, word: String) -> String {
    word.isEmpty ? text("units.not-stated.amount", ["value": .text(number)]) : "\(number) \(word)"
  }
}
