// SPDX-License-Identifier: Apache-2.0

import Foundation
import Localization
import Plans

/// The meaning of a text that someone sent back, or of a key pressed in a call.
package enum Reply: Sendable, Hashable {
  case answer(AnswerAction)
  /// A number, which answers a question about numbered reminders, or stands for an answer.
  case number(Int)
  /// Carriers require that these words end and resume all messages.
  case stop, start
  case unknown

  /// The answer that a number stands for in a reminder; nil for others.
  package static func action(_ number: Int) -> AnswerAction? {
    switch number {
    case 1: .taken
    case 2: .later
    case 3: .skipped
    default: nil
    }
  }
}

/// The words of each language that answer a reminder, compared without case, accents and signs.
package enum ReplyWords {
  /// The maximum number of characters of a text that is read.
  private static let longest = 100

  /// Returns the meaning of a text, whatever its language.
  package static func read(_ text: String) -> Reply {
    guard text.count <= longest else { return .unknown }
    let words = folded(text)
    if words.count <= 2, let number = Int(words) { return .number(number) }
    return meanings[words] ?? .unknown
  }

  /// The words that answer, by language.
  static func words(_ action: AnswerAction, in language: Language) -> [String] {
    switch (language, action) {
    case (.en, .taken): ["taken", "took", "took it", "I took it", "yes", "done", "ok"]
    case (.en, .later): ["later", "snooze", "not yet", "remind me", "wait"]
    case (.en, .skipped): ["skip", "skipped", "skip it"]
    case (.de, .taken): ["genommen", "eingenommen", "habe ich genommen", "ja", "erledigt"]
    case (.de, .later): ["später", "noch nicht", "erinnern", "gleich"]
    case (.de, .skipped): ["auslassen", "ausgelassen", "überspringen"]
    case (.nb, .taken): ["tatt", "har tatt", "har tatt den", "ja", "ferdig"]
    case (.nb, .later): ["senere", "ikke ennå", "vent", "minn meg på det"]
    case (.nb, .skipped): ["hopp over", "hoppet over", "hopper over"]
    case (.th, .taken): ["ใช้ยาแล้ว", "ใช้แล้ว", "กินยาแล้ว", "กินแล้ว", "ทานแล้ว", "เรียบร้อย"]
    case (.th, .later): ["ภายหลัง", "ทีหลัง", "เดี๋ยว", "ยังไม่ได้ใช้"]
    case (.th, .skipped): ["ข้าม", "ข้ามครั้งนี้"]
    case (.tr, .taken): ["aldım", "alındı", "evet", "tamam"]
    case (.tr, .later): ["sonra", "daha sonra", "henüz değil", "bekle"]
    case (.tr, .skipped): ["atla", "atladım", "atlandı"]
    case (_, .refused), (_, .undo): []
    }
  }

  private static let stops = [
    "stop", "stop all", "stopall", "unsubscribe", "cancel", "end", "quit", "revoke", "optout",
    "stopp", "durdur", "หยุด",
  ]
  private static let starts = ["start", "unstop", "başlat", "เริ่ม"]

  /// The meanings by folded text.
  static let meanings: [String: Reply] = {
    var meanings: [String: Reply] = [:]
    for language in Language.allCases {
      for action in AnswerAction.allCases {
        for word in words(action, in: language) { meanings[folded(word)] = .answer(action) }
      }
    }
    for word in stops { meanings[folded(word)] = .stop }
    for word in starts { meanings[folded(word)] = .start }
    return meanings
  }()

  /// Returns a text in lower case, without accents and signs, and with the digits of any script as
  /// ASCII.
  static func folded(_ text: String) -> String {
    let plain = text.folding(
      options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive],
      locale: Locale(identifier: "en_US_POSIX"))
    var result = ""
    for character in plain {
      if let digit = character.wholeNumberValue, (0...9).contains(digit) {
        result += String(digit)
        continue
      }
      switch character {
      case "ı": result += "i"
      case "ø": result += "o"
      case "æ": result += "ae"
      case "ß": result += "ss"
      case _ where character.isLetter: result += character.lowercased()
      default: if !result.isEmpty, result.last != " " { result += " " }
      }
    }
    return result.hasSuffix(" ") ? String(result.dropLast()) : result
  }
}
