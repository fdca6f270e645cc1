// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Knowledge
import Synchronization

/// The keys by which two medicines count as the same: their codes, or else their names.
///
/// A plan keeps its keys as lines of one text, so that an answer never parses the prescription.
package enum Ingredient {
  private static let namePrefix = "name:"
  private static let codePrefix = "code:"

  /// Returns the key of a medicine known by its name.
  package static func key(name: String) -> String {
    namePrefix + normalised(name)
  }

  /// Returns the keys of a prescription: its name, each of its codes and the names of its
  /// ingredients.
  package static func keys(of request: MedicationRequestView) -> [String] {
    var keys: [String] = []
    func add(_ key: String) {
      if !keys.contains(key) { keys.append(key) }
    }
    if let name = request.medicationName, !normalised(name).isEmpty { add(key(name: name)) }
    for (system, code) in request.medicationCodes.map({ ($0.system ?? "", $0.code) })
    where !code.isEmpty && !(system + code).contains(where: \.isNewline) {
      add("\(codePrefix)\(system)|\(code)")
    }
    for name in request.medication.ingredientNames where !normalised(name).isEmpty {
      add(key(name: name))
    }
    return keys
  }

  /// Returns the names in an `ingredients` column: that of the medicine and those of its
  /// ingredients.
  static func names(column: String) -> [String] {
    column.split(separator: "\n").filter { $0.hasPrefix(namePrefix) }
      .map { String($0.dropFirst(namePrefix.count)) }.filter { !$0.isEmpty }
  }

  /// Returns the text for the `ingredients` column: one key a line.
  package static func column(_ keys: [String]) -> String {
    keys.joined(separator: "\n")
  }

  /// Returns the keys in an `ingredients` column that may match another medicine's; the key of an
  /// empty name is left out.
  package static func keys(column: String) -> Set<String> {
    Set(column.split(separator: "\n").map(String.init)).subtracting([namePrefix])
  }

  /// Returns the keys in a column together with the ingredients that the handbook lists for their
  /// names and codes, so that two products with one ingredient have a key in common.
  ///
  /// Looked up when asked and never stored, so that a corrected handbook applies to earlier intakes
  /// too.
  package static func contents(column: String) -> Set<String> {
    if let known = looked.withLock({ $0[column] }) { return known }
    var found = keys(column: column)
    for key in found {
      // Codes of other systems have no known meaning.
      guard let prefix = lookedUp.first(where: { key.hasPrefix($0) }) else { continue }
      let name = key.dropFirst(prefix.count)
      for one in Handbook.shipped.ingredients(of: String(name))?.ingredients ?? [] {
        found.insert(contentKey(one))
      }
    }
    looked.withLock { looked in
      if looked.count >= mostLooked { looked.removeAll() }
      looked[column] = found
    }
    return found
  }

  /// Returns the ingredients that the handbook lists for all names and codes of a column; nil if it
  /// knows none of them.
  package static func listed(column: String) -> IngredientList? {
    var found: [IngredientList] = []
    for key in keys(column: column) {
      guard let prefix = lookedUp.first(where: { key.hasPrefix($0) }) else { continue }
      if let one = Handbook.shipped.ingredients(of: String(key.dropFirst(prefix.count))) {
        found.append(one)
      }
    }
    guard !found.isEmpty else { return nil }
    return IngredientList(
      ingredients: Set(found.flatMap(\.ingredients)).sorted(),
      isComplete: found.allSatisfy(\.isComplete))
  }

  /// Returns the key under which ``contents(column:)`` lists an ingredient of the handbook.
  package static func contentKey(_ ingredient: String) -> String { ingredientPrefix + ingredient }

  /// Returns the ingredient of a key that ``contentKey(_:)`` made; nil for other keys.
  package static func ingredient(ofKey key: String) -> String? {
    key.hasPrefix(ingredientPrefix) ? String(key.dropFirst(ingredientPrefix.count)) : nil
  }

  private static let ingredientPrefix = "in:"
  /// The prefixes of keys that the handbook can look up: names, and ATC and RxNorm codes.
  private static let lookedUp = [
    namePrefix, codePrefix + "http://www.whocc.no/atc|",
    codePrefix + "urn:oid:2.16.840.1.113883.6.73|",
    codePrefix + "http://www.nlm.nih.gov/research/umls/rxnorm|",
  ]
  private static let mostLooked = 10_000
  /// A cache of the results, by column.
  private static let looked = Mutex<[String: Set<String>]>([:])

  /// Returns the codes in an `ingredients` column, in their order; `system` is nil if none is
  /// stated.
  package static func codes(column: String) -> [(system: String?, code: String)] {
    column.split(separator: "\n").compactMap { line in
      guard line.hasPrefix(codePrefix), let contraindication = line.firstIndex(of: "|") else {
        return nil
      }
      let system = line[..<contraindication].dropFirst(codePrefix.count)
      let code = line[line.index(after: contraindication)...]
      return code.isEmpty ? nil : (system.isEmpty ? nil : String(system), String(code))
    }
  }

  /// Returns a name without differences of case, spacing, width and accents.
  ///
  /// Strength and form stay: two strengths of one medicine are told apart by name and matched by
  /// code.
  package static func normalised(_ name: String) -> String {
    var result = ""
    var pendingSpace = false
    for scalar in name.decomposedStringWithCompatibilityMapping.lowercased().unicodeScalars {
      if scalar.properties.isWhitespace || scalar.properties.generalCategory == .control {
        pendingSpace = !result.isEmpty
        continue
      }
      // Strip accents of Latin, Greek and Cyrillic only; the vowel signs of Thai and other scripts carry
      // meaning.
      if (0x0300...0x036F).contains(scalar.value)
        || scalar.properties.generalCategory == .format
      {
        continue
      }
      if pendingSpace {
        result.append(" ")
        pendingSpace = false
      }
      switch scalar {
      case "ı": result.append("i")
      case "ø": result.append("o")
      case "æ": result.append("ae")
      case "œ": result.append("oe")
      case "ß": result.append("ss")
      case "ł": result.append("l")
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
