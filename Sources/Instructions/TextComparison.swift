// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization

/// Compares the sender's own text with the dosage's elements.
enum TextComparison {
  /// Returns the numbers and times of a text that no element states, then the words for days, weeks and months.
  static func differences(in text: String, from dosage: DosageView) -> [String] {
    numbers(in: text, missingIn: dosage) + PeriodWords.words(in: text, missingIn: dosage)
  }

  /// Returns the numbers and times of a text that no element states, in the order of the text.
  ///
  /// A number also counts as stated if an element states the same in another unit: 24 hours for a day, 1000
  /// mg for a gram. Words such as `twice` are not read.
  private static func numbers(in text: String, missingIn dosage: DosageView) -> [String] {
    let written = tokens(of: text)
    if written.isEmpty { return [] }
    var stated: Set<PlainNumber> = []
    var times: Set<String> = []
    collect(dosage.json, key: "", &stated, &times)
    var result: [String] = []
    for token in written where !result.contains(token) {
      if token.contains(":") {
        let padded = token.utf8.count == 4 ? "0" + token : token
        if !times.contains(padded) { result.append(token) }
        continue
      }
      let plain = String(token.map { $0 == "," ? "." : $0 })
      guard let number = PlainNumber(text: plain), !isStated(number, by: stated) else { continue }
      result.append(token)
    }
    return result
  }

  /// The factors between units that senders mix: minutes and hours, hours and days, days and weeks,
  /// thousands.
  private static let factors = [60, 24, 7, 1000]

  private static func isStated(_ number: PlainNumber, by stated: Set<PlainNumber>) -> Bool {
    if stated.contains(number) { return true }
    return factors.contains { factor in
      if let larger = number.times(factor), stated.contains(larger) { return true }
      return stated.contains { $0.times(factor) == number }
    }
  }

  /// Returns the numbers and times: `2.5`, `08:30`, `1000` for `1,000`.
  private static func tokens(of text: String) -> [String] {
    var result: [String] = []
    var token: [UInt8] = []
    func close() {
      while let last = token.last, !(0x30...0x39).contains(last) { token.removeLast() }
      if !token.isEmpty {
        let parts = token.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        let isGrouped = parts.count > 1 && parts.dropFirst().allSatisfy { $0.count == 3 }
        if isGrouped { token.removeAll { $0 == UInt8(ascii: ",") } }
        result.append(String(decoding: token, as: UTF8.self))
      }
      token.removeAll(keepingCapacity: true)
    }
    for byte in text.utf8 {
      let isDigit = (0x30...0x39).contains(byte)
      let isInside =
        byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":")
      if isDigit || isInside && !token.isEmpty && (0x30...0x39).contains(token[token.count - 1]) {
        token.append(byte)
      } else {
        close()
      }
    }
    close()
    return result
  }

  private static func collect(
    _ value: JSONValue, key: String, _ numbers: inout Set<PlainNumber>, _ times: inout Set<String>
  ) {
    switch value {
    case .number(let number):
      if let number = PlainNumber(text: number.text) { numbers.insert(number) }
    case .string(let text):
      // The sender's text cannot confirm itself.
      if ["text", "patientInstruction", "code", "system", "url"].contains(key) { return }
      for token in tokens(of: text) {
        if token.contains(":") {
          times.insert(String(token.prefix(5)))
        } else if let number = PlainNumber(text: token) {
          numbers.insert(number)
        }
      }
    case .array(let items):
      numbers.insert(PlainNumber(items.count))
      for item in items { collect(item, key: key, &numbers, &times) }
    case .object(let object):
      for (key, value) in object { collect(value, key: key, &numbers, &times) }
    case .null, .bool: return
    }
  }
}
