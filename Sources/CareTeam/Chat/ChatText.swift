// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The text of messages: plain, limited in length, and without invisible characters.
package enum ChatText {
  /// The maximum length of a message, in characters.
  package static let maximum = 4_000
  /// The maximum length in bytes, because combining marks can make few characters very long.
  static let maximumBytes = 16_000

  /// Returns the text without control characters and without marks that change the direction of the following
  /// text.
  ///
  /// Such marks could make a sentence read as another one. Right-to-left text itself stays.
  ///
  /// - Throws: ``ChatError/tooLong(maximum:)`` for more than ``maximum`` characters, or 16,000 bytes.
  package static func cleaned(_ typed: String) throws(ChatError) -> String {
    guard typed.utf8.count <= 4 * maximumBytes else { throw .tooLong(maximum: maximum) }
    var scalars = String.UnicodeScalarView()
    var wasReturn = false
    for scalar in typed.unicodeScalars {
      defer { wasReturn = scalar == "\r" }
      if scalar == "\r" || scalar == "\u{2028}" || scalar == "\u{2029}" || scalar == "\u{85}" {
        scalars.append("\n")
      } else if scalar == "\n" {
        if !wasReturn { scalars.append(scalar) }
      } else if isKept(scalar) {
        scalars.append(scalar)
      }
    }
    let text = String(scalars).trimmingCharacters(in: .whitespacesAndNewlines)
    guard text.count <= maximum, text.utf8.count <= maximumBytes else {
      throw .tooLong(maximum: maximum)
    }
    return text
  }

  private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09: true
    case 0x00...0x1F, 0x7F...0x9F: false
    // Embedding, override and isolation of directions.
    case 0x202A...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFF9...0xFFFB: false
    case 0xFDD0...0xFDEF: false
    // Tags: invisible letters that can hide any text.
    case 0xE0000...0xE007F: false
    default: scalar.value & 0xFFFE != 0xFFFE
    }
  }

  /// Returns the text in the form that a search compares: without case, accents and width.
  package static func folded(_ text: String) -> String {
    text.folding(
      options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
  }
}

/// The limits on the messages that one account can send.
enum ChatLimits {
  static let perMinute: Int64 = 20
  static let perDay: Int64 = 500
  static let photosPerDay: Int64 = 50
  private static let minute: Int64 = 60_000
  static let day: Int64 = 24 * 60 * minute
  static let minuteMilliseconds = minute

  /// Returns the seconds until another message is allowed; nil if it is allowed now.
  ///
  /// - Parameters:
  ///   - minute: the number of messages sent within a minute.
  ///   - day: the number of messages sent within a day.
  static func wait(minute: Int64, day: Int64, photos: Int64, isPhoto: Bool) -> Int? {
    if day >= perDay || (isPhoto && photos >= photosPerDay) { return 3_600 }
    return minute >= perMinute ? 60 : nil
  }
}
