// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A unit for doses, with a name and plural forms in every language.
public enum DoseUnit: String, CaseIterable, Sendable, Hashable {
  case tablet, capsule, drop, milliliter, liter, milligram, microgram, nanogram, gram, millimole
  case unit, puff, spray
  case patch, sachet, suppository, pessary, injection, ampoule, vial, application, spoonful
  case lozenge, piece, dose

  /// The UCUM code for a FHIR Quantity; countable units are UCUM annotations such as `{tablet}`.
  public var ucumCode: String {
    switch self {
    case .milliliter: "mL"
    case .milligram: "mg"
    case .microgram: "ug"
    case .nanogram: "ng"
    case .liter: "L"
    case .gram: "g"
    case .millimole: "mmol"
    case .unit: "[iU]"
    default: "{\(rawValue)}"
    }
  }

  /// Returns the unit of a FHIR Quantity by its code or its unit text; nil if it is not known here.
  ///
  /// Codes are UCUM, HL7 orderableDrugForm, EDQM and SNOMED CT; texts are names in any language. An
  /// annotation in braces may hold a name, too.
  public init?(code: String?, text: String?) {
    if let code, let unit = Self.byCode[code] {
      self = unit
    } else if let text, let unit = Self.byCode[text] ?? Self.byText[text.lowercased()] {
      self = unit
    } else if let unit = code.flatMap(Self.annotated) ?? text.flatMap(Self.annotated) {
      self = unit
    } else {
      return nil
    }
  }

  /// Returns the unit with a code or a name in lower case; nil if it is not known here.
  init?(code: String, word: String) {
    guard let unit = Self.byCode[code] ?? Self.byText[word] else { return nil }
    self = unit
  }

  private static let byCode: [String: DoseUnit] = {
    var result: [String: DoseUnit] = [
      "{tbl}": .tablet, "{tab}": .tablet, "{tablets}": .tablet, "TAB": .tablet,
      "{cap}": .capsule, "{caps}": .capsule, "{capsules}": .capsule, "CAP": .capsule,
      "[drp]": .drop, "{drops}": .drop, "{gtt}": .drop, "DROP": .drop,
      "ml": .milliliter, "cm3": .milliliter, "mcg": .microgram, "µg": .microgram,
      "μg": .microgram, "[IU]": .unit, "[iU]": .unit, "[U]": .unit, "U": .unit, "IU": .unit,
      "{puffs}": .puff, "{actuat}": .puff, "PUFF": .puff, "{sprays}": .spray, "SPRY": .spray,
      "{patches}": .patch, "PATCH": .patch, "{sachets}": .sachet, "{packet}": .sachet,
      "{supp}": .suppository, "SUPP": .suppository, "{applicatn}": .application,
      "LOZENGE": .lozenge, "{doses}": .dose, "OPDROP": .drop, "NASDROP": .drop, "l": .liter,
      "OTDROP": .drop, "VAGSUPP": .pessary, "AMP": .ampoule, "VIAL": .vial,
      // EDQM: units of presentation and the plain forms.
      "15054000": .tablet, "10219000": .tablet, "15012000": .capsule, "10210000": .capsule,
      // SNOMED CT.
      "428673006": .tablet, "732936001": .tablet, "385055001": .tablet, "428641000": .capsule,
      "732937005": .capsule, "385049006": .capsule, "404218003": .drop, "415215001": .puff,
      "258773002": .milliliter, "258684004": .milligram, "258685003": .microgram,
      "258682000": .gram, "258770004": .liter, "413516001": .ampoule, "415818006": .vial,
      "419702001": .patch,
    ]
    for unit in allCases { result[unit.ucumCode] = unit }
    return result
  }()

  private static let byText: [String: DoseUnit] = {
    var result: [String: DoseUnit] = [
      "tab": .tablet, "tabs": .tablet, "tbl": .tablet, "cap": .capsule, "caps": .capsule,
      "gtt": .drop, "mcg": .microgram, "ug": .microgram, "milligram": .milligram,
      "milligrams": .milligram, "gram": .gram, "grams": .gram, "millilitre": .milliliter,
      "millilitres": .milliliter, "milliliter": .milliliter, "milliliters": .milliliter,
      "iu": .unit, "ie": .unit, "international unit": .unit, "international units": .unit,
      "actuation": .puff, "actuations": .puff, "inhalation": .puff, "inhalations": .puff,
      "pcs": .piece,
      // Earlier names of puffs.
      "inhalasjon": .puff, "inhalasjoner": .puff, "inhalación": .puff, "inhalaciones": .puff,
      "inalação": .puff, "inalações": .puff,
    ]
    for language in SentenceLanguage.allCases {
      let localizer = SentenceLocalizer.of(language)
      // "Stück" and similar words count tablets as well as puffs, so they stay the sender's own text.
      for unit in allCases where unit != .piece || language == .en {
        for number in [PlainNumber(1), PlainNumber(7)] {
          let amount = localizer.amount(number, unit)
          let name = amount.drop { $0.isNumber || $0 == " " }.lowercased()
          if result[name] == nil { result[name] = unit }
        }
      }
    }
    return result
  }()
}

extension Speaker {
  /// Returns an amount as in a sentence: `1 tablet`, `half a tablet`, `2.5 mL`.
  public func amount(_ value: Decimal, _ unit: DoseUnit) -> String {
    text(unit.amountKey, ["n": .decimal(value)])
  }

  /// Returns an exact amount as in a sentence.
  public func amount(_ value: PlainNumber, _ unit: DoseUnit) -> String {
    text(unit.amountKey, ["n": .exact(value)])
  }
}

extension Localizer {
  /// Returns the name of a unit, for a selection list.
  public func name(of unit: DoseUnit) -> String {
    text(MessageKey("units.\(unit.rawValue).name"))
  }
}

extension DoseUnit {
  fileprivate var amountKey: MessageKey { MessageKey("units.\(rawValue).amount") }
}
