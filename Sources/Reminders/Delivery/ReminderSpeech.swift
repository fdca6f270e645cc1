// SPDX-License-Identifier: Apache-2.0

import Localization

extension ReminderContent {
  /// Returns the text message, with the address of the page that answers; a test contains its code instead.
  package func phoneText(baseURL: String) -> String {
    let localizer = Localizer.of(language)
    if let code = links.code { return localizer.text("gateways.text-code", ["code": .text(code)]) }
    let words = words
    return localizer.text(
      "gateways.text",
      [
        "title": .text(words.title), "body": .text(words.body),
        "address": .text(baseURL + actionLinkPath),
      ])
  }

  /// The text that a call reads out, with the digits of a code one by one.
  package var spoken: String {
    let localizer = Localizer.of(language)
    if let code = links.code {
      let digits = code.map(String.init).joined(separator: ", ")
      return localizer.text("gateways.spoken-code", ["code": .text(digits)])
    }
    let words = words
    return localizer.text(
      "gateways.spoken", ["title": .text(words.title), "body": .text(words.body)])
  }
}
