// SPDX-License-Identifier: Apache-2.0

/// A country, or a group of countries, with its ambulance number if known.
///
/// Only some have their own rules for children's medicines: see ``Region``.
public enum EmergencyRegion: String, CaseIterable, Sendable, Hashable {
  case germany = "de"
  case norway = "no"
  case thailand = "th"
  case turkey = "tr"
  case unitedKingdom = "uk"
  case unitedStates = "us"
  /// Another country of the European Union.
  case europeanUnion = "eu"
  /// A country whose number is not listed.
  case other

  /// The ambulance number; nil if it is not listed.
  ///
  /// United Kingdom, United States, Thailand: `topics/numbers.topic`. The European Union: 112, Directive (EU)
  /// 2018/1972, article 109. Norway: 113 (helsenorge.no). Türkiye: 112 (Ministry of Health).
  public var ambulance: String? {
    switch self {
    case .germany, .turkey, .europeanUnion: "112"
    case .norway: "113"
    case .thailand: "1669"
    case .unitedKingdom: "999"
    case .unitedStates: "911"
    case .other: nil
    }
  }

  /// The rules for children's medicines in that country; nil if none are listed.
  public var rules: Region? {
    switch self {
    case .thailand: .th
    case .unitedKingdom: .uk
    case .unitedStates: .us
    case .germany, .norway, .turkey, .europeanUnion, .other: nil
    }
  }
}
