// SPDX-License-Identifier: Apache-2.0

import HTML
import Knowledge
import Localization
import People
import Storage
import Web

/// The ambulance number, with its country.
///
/// If none is known, it says so: another country's number is worse than none.
package struct EmergencyNumber: PagePart {
  /// The country whose number is shown; nil if it is not known.
  package let region: EmergencyRegion?
  /// The language of the label.
  package let localizer: Localizer

  /// Creates the line for a country.
  package init(region: EmergencyRegion?, localizer: Localizer) {
    self.region = region
    self.localizer = localizer
  }

  /// The number as a link, or the sentence that it is not known.
  package var markup: Markup {
    guard let region, let number = region.ambulance else {
      return "<p><strong>\(localizer.text("emergency-card.number-unknown"))</strong></p>"
    }
    let label = localizer.text(
      "emergency-card.number", ["region": .text(region.rawValue)])
    return "<p><strong>\(label): <a href=\"tel:\(number)\">\(number)</a></strong></p>"
  }
}

extension Call {
  /// Returns the country whose emergency number is shown: the one chosen for this server, else the
  /// one whose rules apply.
  package func emergencyRegion() async throws -> EmergencyRegion? {
    let chosen = try await environment.database.read { try ServerRegion.read(in: $0) }
    return chosen
      ?? knownRegion.flatMap { rules in EmergencyRegion.allCases.first { $0.rules == rules } }
  }
}

/// The form field for the country, at the first visit and later.
package enum EmergencyRegionField {
  /// The name of the form field.
  package static let name = "country"

  /// Returns the field with all countries to choose from.
  ///
  /// - Parameter value: The raw value of the chosen country; empty if none is chosen.
  package static func field(
    _ value: String, error: String? = nil, _ localizer: Localizer
  ) -> FormField {
    let choices = EmergencyRegion.allCases.map { region in
      FieldChoice(
        region.rawValue,
        localizer.text("emergency-card.country", ["region": .text(region.rawValue)]))
    }
    return FormField(
      name, label: localizer.text("emergency-card.country-label"),
      kind: .select([FieldChoice("", localizer.text("emergency-card.country-choose"))] + choices),
      value: value, hint: localizer.text("emergency-card.country-hint"), error: error,
      localizer: localizer)
  }
}
