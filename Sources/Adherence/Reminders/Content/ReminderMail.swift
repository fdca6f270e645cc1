// SPDX-License-Identifier: Apache-2.0

import Localization

extension ReminderContent {
  /// The words of a mail: a subject, plain text, and the same as HTML.
  package func mail(baseURL: String) -> (subject: String, text: String, html: String) {
    let words = ReminderWords(self)
    let address = baseURL + path
    let text = [words.title, words.body, "\(words.open)\n\(address)", words.mailWhy]
      .joined(separator: "\n\n")
    let html = """
      <!doctype html>
      <html lang="\(escaped(language.tag))"><head><meta charset="utf-8">\
      <title>\(escaped(words.title))</title></head>
      <body>
      <h1>\(escaped(words.title))</h1>
      <p>\(escaped(words.body))</p>
      <p><a href="\(escaped(address))">\(escaped(words.open))</a></p>
      <p><small>\(escaped(words.mailWhy))</small></p>
      </body></html>
      """
    return (words.title, text + "\n", html + "\n")
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
