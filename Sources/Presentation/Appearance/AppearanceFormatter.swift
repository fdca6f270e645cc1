// SPDX-License-Identifier: Apache-2.0

import Dosing
import Localization

/// A look in words.
package struct AppearanceFormatter: Sendable {
  package let localizer: Localizer

  package init(localizer: Localizer) {
    self.localizer = localizer
  }

  /// `Round tablet, white, with a line to break it at, marked “A 1”`.
  package func text(_ look: MedicineAppearance) -> String {
    var parts = [name(of: look.shape)]
    if !look.colors.isEmpty { parts.append(localizer.list(look.colors.map(name))) }
    if look.isScored { parts.append(localizer.text("appearance.scored")) }
    if let imprint = look.imprint {
      parts.append(localizer.text("appearance.marked", ["letters": .text(imprint)]))
    }
    return parts.joined(separator: ", ")
  }

  package func name(of shape: MedicineShape) -> String {
    localizer.text("appearance.shape", ["shape": .text(shape.rawValue)])
  }

  package func name(of color: MedicineColor) -> String {
    localizer.text("appearance.color", ["color": .text(color.rawValue)])
  }

  /// What a photo shows, for who does not see it.
  package func photo(_ number: Int, of name: String, _ look: MedicineAppearance?) -> String {
    localizer.text(
      "appearance.photo.alt",
      [
        "n": .number(number), "name": .text(name), "words": .text(look.map(text) ?? "none"),
      ])
  }
}
