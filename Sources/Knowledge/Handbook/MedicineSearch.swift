// SPDX-License-Identifier: Apache-2.0

/// A medicine found by one of its names.
public struct MedicineHit: Sendable, Hashable {
  /// The medicine.
  public let medicine: CatalogueMedicine
  /// The matching name: an ingredient, a brand or a Thai name.
  public let name: String
  /// The kind of the name.
  public let kind: NameKind
  /// The fit of the name with the typed text.
  public let fit: NameHit.Fit
}

extension Handbook {
  /// Returns the medicines that match a typed text, the best first.
  public func search(_ query: String, limit: Int = 20) -> [MedicineHit] {
    index.search(query, limit: limit).map { hit in
      MedicineHit(medicine: medicines[hit.owner], name: hit.name, kind: hit.kind, fit: hit.fit)
    }
  }

  /// Returns the names of all medicines, for search and for lookup.
  static func names(of medicines: [CatalogueMedicine]) -> (NameIndex, [String: [Int]]) {
    var entries: [(owner: Int, name: String, kind: NameKind)] = []
    var byName: [String: [Int]] = [:]
    for (number, medicine) in medicines.enumerated() {
      let brands = medicine.brands + medicine.thaiBrands + medicine.combinationBrands
      let own =
        [(medicine.name, NameKind.ingredient)]
        + medicine.synonyms.map { ($0, .synonym) }
        + medicine.thaiNames.map { ($0, .thai) }
        + brands.map { ($0, .brand) }
      var seen: Set<String> = []
      for (name, kind) in own {
        let form = NameNormalizer.normalised(name)
        guard !form.isEmpty, seen.insert(form).inserted else { continue }
        entries.append((number, name, kind))
        byName[form, default: []].append(number)
      }
      // A single ingredient's own name and codes are only for lookup.
      var codes = [medicine.atc]
      if medicine.ingredients.count == 1 { codes += medicine.ingredients + medicine.rxnorm }
      if medicine.rxnorm.count > 1 { codes.append(medicine.rxnorm.joined(separator: "+")) }
      for form in codes.map(NameNormalizer.normalised) where seen.insert(form).inserted {
        byName[form, default: []].append(number)
      }
    }
    return (NameIndex(entries), byName)
  }
}
