// SPDX-License-Identifier: Apache-2.0
import Foundation

/// JSON with sorted keys, so that the same message has the same bytes.
enum SortedJSON {
  static let contentType = ("Content-Type", "application/json")

  static func bytes(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map { Array($0) } ?? []
  }
}
