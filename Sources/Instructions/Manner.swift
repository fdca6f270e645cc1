// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization

/// The way in which a medicine is used, which decides the verb of its sentence.
struct Manner {
  enum Use: String, CaseIterable {
    case oral, swallow, take, use, sublingual, buccal, inhalation, nasal, eye, ear, skin, patch
    case rectal, vaginal, subcutaneous, intramuscular, intravenous
  }

  let use: Use
  /// True if the sentence states the route.
  let isFromRoute: Bool
  /// The eye, ear or nostril that the sentence states, such as `left-eye`.
  let place: String?

  /// Creates it from the route; without a known one from the site or the unit, and then no route is stated.
  init(dosage: DosageView, unit: DoseUnit?) {
    let concept = dosage.json["route"]
    let codes = concept?["coding"]?.array?.lazy.compactMap { $0["code"]?.string }
    let stated = Lexicon.entry(dosage.json["site"], in: Lexicon.places)
    let placed = stated.flatMap(Self.ofPlace)
    if let known = codes?.compactMap({ Self.byCode[$0] }).first ?? Self.byName(dosage.route) {
      use = known == .skin && unit == .patch ? .patch : known
      isFromRoute = true
    } else {
      isFromRoute = false
      use = dosage.route != nil ? .use : placed ?? Self.unrouted(unit, dosage.json["method"])
    }
    place = placed == use ? stated : nil
  }

  private static func ofPlace(_ place: String) -> Use? {
    if place.hasSuffix("-eye") || place.hasSuffix("-eyes") { return .eye }
    return place.hasSuffix("-ear") || place.hasSuffix("-ears") ? .ear : .nasal
  }

  /// Returns true if the verb of the sentence already expresses a method.
  func implies(_ method: String) -> Bool {
    switch use {
    case .oral, .swallow: ["swallow", "take"].contains(method)
    case .take: method == "take"
    case .inhalation: method == "inhale"
    case .eye, .ear, .nasal: ["instill", "apply"].contains(method)
    case .skin, .patch: method == "apply"
    case .rectal, .vaginal: method == "insert"
    case .subcutaneous, .intramuscular: method == "inject"
    case .use, .sublingual, .buccal, .intravenous: false
    }
  }

  /// Returns true if the verb of the sentence already says an application or injection.
  func saysUse(of unit: DoseUnit?) -> Bool {
    switch unit {
    case .application?: use != .oral && use != .inhalation
    case .injection?: use == .subcutaneous || use == .intramuscular
    default: false
    }
  }

  private static func unrouted(_ unit: DoseUnit?, _ method: JSONValue?) -> Use {
    switch Lexicon.entry(method, in: Lexicon.methods) {
    case "inhale"?: return .inhalation
    case "apply"?, "instill"?, "inject"?, "gargle"?, "rinse"?, "insert"?, "spray"?, "rub"?,
      "infuse"?, "push"?:
      return .use
    default: break
    }
    switch unit {
    case .tablet, .capsule, .lozenge, .sachet, .spoonful: return .swallow
    case .liter, .milliliter, .milligram, .microgram, .nanogram, .gram, .millimole, .unit, .piece,
      .dose, nil:
      return .take
    case .drop, .puff, .spray, .patch, .suppository, .pessary, .injection, .ampoule, .vial,
      .application:
      return .use
    }
  }

  /// SNOMED CT, HL7 v3 RouteOfAdministration and EDQM codes.
  private static let byCode: [String: Use] = [
    "26643006": .oral, "PO": .oral, "20053000": .oral,
    "37839007": .sublingual, "SL": .sublingual, "20067000": .sublingual,
    "54471007": .buccal, "BUC": .buccal, "20010000": .buccal,
    "447694001": .inhalation, "IPINHL": .inhalation, "20020000": .inhalation,
    "46713006": .nasal, "NASINHL": .nasal, "20049000": .nasal,
    "54485002": .eye, "OPTHALTA": .eye, "20051000": .eye,
    "10547007": .ear, "OTIC": .ear, "20001000": .ear,
    "6064005": .skin, "448598008": .skin, "TOPICAL": .skin, "20003000": .skin,
    "45890007": .skin, "TRNSDERM": .skin, "20070000": .skin,
    "37161004": .rectal, "PR": .rectal, "20061000": .rectal,
    "16857009": .vaginal, "VAGINS": .vaginal, "20072000": .vaginal,
    "34206005": .subcutaneous, "263887005": .subcutaneous, "SQ": .subcutaneous,
    "SUBCUT": .subcutaneous, "20066000": .subcutaneous,
    "78421000": .intramuscular, "IM": .intramuscular, "20035000": .intramuscular,
    "47625008": .intravenous, "255560000": .intravenous, "IV": .intravenous,
    "20045000": .intravenous,
  ]

  /// Returns a route by its English name or short form, without SNOMED CT's tag.
  private static func byName(_ text: String?) -> Use? {
    guard let text else { return nil }
    if let use = names[text] { return use }
    var name = Lexicon.plain(text)
    if let word = name.firstRange(of: "route") { name.removeSubrange(word) }
    return names[name.split(separator: " ").joined(separator: " ")]
  }

  private static let names: [String: Use] = [
    "oral": .oral, "orally": .oral, "by mouth": .oral, "po": .oral, "per os": .oral,
    "sublingual": .sublingual, "buccal": .buccal, "inhalation": .inhalation, "inhaled": .inhalation,
    "respiratory tract": .inhalation, "nasal": .nasal, "intranasal": .nasal, "ophthalmic": .eye,
    "ocular": .eye, "otic": .ear, "auricular": .ear, "topical": .skin, "cutaneous": .skin,
    "transdermal": .skin, "rectal": .rectal, "vaginal": .vaginal, "subcutaneous": .subcutaneous,
    "sc": .subcutaneous, "intramuscular": .intramuscular, "im": .intramuscular,
    "intravenous": .intravenous, "iv": .intravenous,
  ]
}
