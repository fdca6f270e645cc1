// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import Knowledge
import Web

/// The country and time zone that a browser's languages suggest, to be confirmed by the person.
///
/// Only a language with a country counts, such as `de-DE`, or one that is spoken in one country.
/// `en-US` is ignored: browsers everywhere send it, and a wrong country means a wrong emergency
/// number.
struct BrowserGuess: Sendable, Hashable {
  /// The country; nil if nothing suggests one.
  let region: EmergencyRegion?

  /// Reads the `Accept-Language` header, the preferred language first.
  init(acceptLanguage: String?) {
    let tags = (acceptLanguage ?? "").prefix(200).split(separator: ",").prefix(5).map { part in
      part.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    }
    region = tags.lazy.compactMap(Self.region).first
  }

  /// Returns the time zone to suggest: the server's own, unless it is set to UTC.
  func zone(home: String) -> String {
    guard Self.unset.contains(home), let region, let zone = Self.zones[region] else { return home }
    return zone
  }

  private static func region(of tag: String) -> EmergencyRegion? {
    guard tag != "en-us" else { return nil }
    let parts = tag.split(separator: "-")
    if parts.count > 1, let country = parts.last, country.count == 2 {
      if let known = countries[String(country)] { return known }
      return union.contains(String(country)) ? .europeanUnion : .other
    }
    return parts.first.flatMap { languages[String($0)] }
  }

  private static let countries: [String: EmergencyRegion] = [
    "de": .germany, "no": .norway, "th": .thailand, "tr": .turkey, "gb": .unitedKingdom,
    "us": .unitedStates,
  ]
  /// Languages that are spoken in one country.
  private static let languages: [String: EmergencyRegion] = [
    "nb": .norway, "nn": .norway, "no": .norway, "th": .thailand, "tr": .turkey,
  ]
  /// The other countries of the European Union.
  private static let union: Set<String> = [
    "at", "be", "bg", "cy", "cz", "dk", "ee", "es", "fi", "fr", "gr", "hr", "hu", "ie", "it", "lt",
    "lu", "lv", "mt", "nl", "pl", "pt", "ro", "se", "si", "sk",
  ]
  /// Countries with one time zone.
  private static let zones: [EmergencyRegion: String] = [
    .germany: "Europe/Berlin", .norway: "Europe/Oslo", .thailand: "Asia/Bangkok",
    .turkey: "Europe/Istanbul", .unitedKingdom: "Europe/London",
  ]
  /// The zones of machines on which no one has chosen one.
  private static let unset: Set<String> = [
    "UTC", "Etc/UTC", "Etc/UCT", "Etc/Universal", "Etc/Zulu", "Etc/GMT", "GMT", "UCT", "Zulu",
    "Universal",
  ]
}

extension Call {
  /// The country and time zone that the browser's languages suggest.
  var browserGuess: BrowserGuess {
    BrowserGuess(acceptLanguage: request.headers[.acceptLanguage])
  }
}
