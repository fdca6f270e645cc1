// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Empty folders for tests, which the caller removes.
package enum TemporaryFolder {
  /// Creates a folder in the system's temporary folder and returns its path; nil if that fails.
  package static func make(named name: String = "test") -> String? {
    let place = FileManager.default.temporaryDirectory.path(percentEncoded: false)
    // The letters that the system replaces.
    let unfilled = String(repeating: "X", count: 6)
    var template = Array("\(place)/regimen-\(name)-\(unfilled)".utf8CString)
    guard let made = mkdtemp(&template) else { return nil }
    return String(cString: made)
  }
}
