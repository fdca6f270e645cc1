// SPDX-License-Identifier: Apache-2.0

import Accounts
import Localization

extension ReminderContent {
  /// Returns the path of a link that answers, from the root of the server.
  package static func actionLinkPath(_ secret: Secret) -> String { "/tap/\(secret.text)" }

  /// Returns the path of a link that turns mail reminders off.
  package static func silencePath(_ secret: Secret) -> String { "/off/\(secret.text)" }

  /// Returns the parts of a mail: a subject, plain text, the same as HTML, and the address that turns mail
  /// reminders off.
  package func mail(
    baseURL: String
  ) -> (subject: String, text: String, html: String, unsubscribe: String?) {
    let words = ReminderText(self)
    let address = baseURL + path
    let answers = links.answers.map { choice in
      (words.answer(choice.answer), baseURL + Self.actionLinkPath(choice.secret))
    }
    let silence = links.silence.map { baseURL + Self.silencePath($0) }
    var parts = [words.title, words.body]
    parts += answers.map { "\($0.0)\n\($0.1)" }
    if !answers.isEmpty { parts.append(words.noSignIn) }
    parts += ["\(words.open)\n\(address)", words.mailWhy]
    if let silence { parts.append("\(words.silence)\n\(silence)") }
    let buttons = answers.map { "<p>\(link($0.0, to: $0.1))</p>\n" }.joined()
    let html = """
      <!doctype html>
      <html lang="\(escaped(language.tag))"><head><meta charset="utf-8">\
      <title>\(escaped(words.title))</title></head>
      <body>
      <h1>\(escaped(words.title))</h1>
      <p>\(escaped(words.body))</p>
      \(buttons)\(answers.isEmpty ? "" : "<p><small>\(escaped(words.noSignIn))</small></p>\n")\
      <p>\(link(words.open, to: address))</p>
      <p><small>\(escaped(words.mailWhy))</small></p>
      \(silence.map { "<p><small>\(link(words.silence, to: $0))</small></p>\n" } ?? "")\
      </body></html>
      """
    return (words.title, parts.joined(separator: "\n\n") + "\n", html + "\n", silence)
  }

  private func link(_ text: String, to address: String) -> String {
    "<a href=\"\(escaped(address))\">\(escaped(text))</a>"
  }

  private func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }
}
