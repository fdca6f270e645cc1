// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization

extension ReminderContent {
  /// True if a text or a pressed key can answer it.
  private var takesReply: Bool { alert == nil && !links.answers.isEmpty }

  /// Returns the text message, with the address of the page that answers; a test contains its code instead.
  ///
  /// - Parameter takesReplies: True if the gateway forwards replies, which the message then explains.
  package func phoneText(baseURL: String, takesReplies: Bool = false) -> String {
    let localizer = Localizer.of(language)
    if let code = links.code { return localizer.text("gateways.text-code", ["code": .text(code)]) }
    let words = words
    let text = localizer.text(
      "gateways.text",
      [
        "title": .text(words.title), "body": .text(words.body),
        "address": .text(baseURL + actionLinkPath),
      ])
    guard takesReplies, takesReply else { return text }
    return localizer.text("replies.text", ["text": .text(text)])
  }

  /// Returns the text that a call reads out, with the digits of a code one by one.
  ///
  /// - Parameter takesKeys: True if pressed keys answer, which the call then explains.
  package func spoken(takesKeys: Bool = false) -> String {
    let localizer = Localizer.of(language)
    if let code = links.code {
      let digits = code.map(String.init).joined(separator: ", ")
      return localizer.text("gateways.spoken-code", ["code": .text(digits)])
    }
    let words = words
    let text = localizer.text(
      "gateways.spoken", ["title": .text(words.title), "body": .text(words.body)])
    guard takesKeys, takesReply else { return text }
    return localizer.text("replies.spoken", ["text": .text(text)])
  }

  /// Returns the path that pressed keys are sent to; nil if no key answers.
  package func keypadPath(takesKeys: Bool) -> String? {
    takesKeys && takesReply ? "\(Replies.path)?delivery=\(delivery)" : nil
  }
}
