// SPDX-License-Identifier: Apache-2.0

import Dosing
import Localization

/// Describes an appearance in words.
package struct AppearanceFormatter: Sendable {
  /// The language of the words.
  package let localizer: Localizer

  /// Creates a formatter for one language.
  package init(localizer: Localizer) {
    self.localizer = localizer
  }

  /// Returns a description such as `Round tablet, white, with a line to break it at, marked “A 1”`.
  package func text(_ look: MedicineAppearance) -> String {
    var parts = [name(of: look.shape)]
    if !look.colors.isEmpty { parts.append(localizer.list(look.colors.map(name))) }
    if look.isScored { parts.append(localizer.text("appearance.scored")) }
    if let imprint = look.imprint {
      parts.append(localizer.text("appearance.marked", ["letters": .text(imprint)]))
    }
    return parts.joined(separator: ", ")
  }

  /// Returns the name of a shape.
  package func name(of shape: MedicineShape) -> String {
    localizer.text("appearance.shape", ["shape": .text(shape.rawValue)])
  }

  /// Returns the name of a colour.
  package func name(of color: MedicineColor) -> String {
    localizer.text("appearance.color", ["color": .text(color.rawValue)])
  }

  /// Returns the alternative text of a photo.
  ///
  /// - Parameters:
  ///   - number: The place of the photo among the medicine's photos, from 1.
  ///   - name: The name of the medicine.
  package func photo(_ number: Int, of name: String, _ look: MedicineAppearance?) -> String {
    localizer.text(
      "appearance.photo.alt",
      [
        "n": .number(number), "name": .text(name), "words": .text(look.map(text) ?? "none"),
      ])
  }
}
