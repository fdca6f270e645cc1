// SPDX-License-Identifier: Apache-2.0

extension Handbook {
  /// The maximum number of characters of a name that are compared: a program can send a name of megabytes.
  private static let longestName = 300

  /// Returns the rule for a medicine's maximum frequency, or nil if none is listed.
  ///
  /// - Parameters:
  ///   - codes: ATC and RxNorm codes.
  ///   - form: the form in the plan's vocabulary, if known.
  ///   - milligrams: the content of one dose, if known.
  ///   - units: the content of one dose in international units, if known.
  public func frequencyRule(
    name: String, codes: [String], form: String?, milligrams: Double?, units: Double? = nil
  ) -> FrequencyRule? {
    let name = String(name.unicodeScalars.prefix(Self.longestName))
    let wanted = NameNormalizer.normalised(name)
    let known = Set(codes + substance(id: "", name: name, codes: codes).codes)
    let text = " \(wanted) "
    let words = NameNormalizer.words(wanted).map { Array($0.utf16) }
    var distance = SpellingDistance()
    func isNamed(_ candidate: String, loosely: Bool) -> Bool {
      // Thai has no spaces between words.
      if !candidate.utf8.allSatisfy({ $0 < 0x80 }) { return wanted.contains(candidate) }
      if text.contains(" \(candidate) ") { return true }
      let letters = Array(candidate.utf16)
      // A typing error in a long name must not bypass the rule.
      guard loosely, letters.count >= 7 else { return false }
      return words.contains { word in
        word.count >= 6 && distance.between(word, and: letters[...], limit: 1).whole <= 1
      }
    }
    /// Returns true if the name itself states the form.
    func isWritten(_ form: String) -> Bool {
      (Self.formWords[form] ?? []).contains { isNamed($0, loosely: false) || wanted.contains($0) }
    }
    let named = frequencyRules.filter { rule in
      guard
        !known.isDisjoint(with: rule.codes)
          || rule.names.contains(where: { isNamed($0, loosely: true) }),
        !rule.otherWords.contains(where: { isNamed($0, loosely: false) })
      else { return false }
      guard let form else { return rule.forms.isEmpty || rule.forms.contains(where: isWritten) }
      return !rule.otherForms.contains(form) && (rule.forms.isEmpty || rule.forms.contains(form))
    }
    return FrequencyRule.strictest(named, milligrams: milligrams, units: units)
  }

  private static let formWords: [String: [String]] = [
    "patch": ["patch", "transdermal", "pflaster", "plaster", "แผ่นแปะ", "bant", "flaster"]
      .map(NameNormalizer.normalised)
  ]
}
