// SPDX-License-Identifier: Apache-2.0

import Accounts
import Calendar
import Encodings
import Identifiers
import Plans

/// The event of an answer that a phone sends by itself after a tap.
///
/// It is derived from the dose as it was, so that the page may be loaded any number of times, by any
/// number of tabs, and the answer is the same event.
enum StickerEvent {
  /// Returns a UUID of version 8 for a dose in its current version.
  static func id(_ sticker: Sticker, _ dose: Dose, by account: AccountID) -> String {
    let text = "sticker \(sticker.id) \(dose.id.text) \(dose.version) \(account)"
    var bytes = Array(Secret(text: text).digest.prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = Hexadecimal.encode(bytes)
    func part(_ from: Int, _ length: Int) -> Substring { digits.dropFirst(from).prefix(length) }
    return "\(part(0, 8))-\(part(8, 4))-\(part(12, 4))-\(part(16, 4))-\(part(20, 12))"
  }
}
