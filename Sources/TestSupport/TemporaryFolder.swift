// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Empty folders for tests, each for its owner alone; whoever makes one removes it.
package enum TemporaryFolder {
  /// The path of a new folder below the system's place for such; nil where none can be made.
  package static func make(named name: String = "test") -> String? {
    let place = FileManager.default.temporaryDirectory.path(percentEncoded: false)
    // The letters that the system fills in.
    let unfilled = String(repeating: "X", count: 6)
    var template = Array("\(place)/regimen-\(name)-\(unfilled)".utf8CString)
    guard let made = mkdtemp(&template) else { return nil }
    return String(cString: made)
  }
}
