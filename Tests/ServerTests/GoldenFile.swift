// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A file in Tests/Golden with an expected output.
///
/// `REGIMEN_RENEW_GOLDEN=1 Scripts/swift test --filter ServerTests` writes the current output into
/// the files; review the change before you keep it.
enum GoldenFile {
  static func check(
    _ text: String, _ name: String, location: SourceLocation = #_sourceLocation
  ) throws {
    let file = URL(filePath: #filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Golden/\(name)")
    // One element per line, so that a difference is easy to find.
    let lines = text.replacing("><", with: ">\n<") + "\n"
    if ProcessInfo.processInfo.environment["REGIMEN_RENEW_GOLDEN"] == "1" {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(lines.utf8).write(to: file)
      return
    }
    let expected = try String(contentsOf: file, encoding: .utf8)
    #expect(lines == expected, "\(name) is not as it was", sourceLocation: location)
  }
}

extension GoldenFile {
  /// Checks the main part of a page; ids and tokens of a run are replaced by their kinds.
  static func check(
    page: String, _ name: String, location: SourceLocation = #_sourceLocation
  ) throws {
    let main = try #require(
      page.firstMatch(of: /(?s)<main.*<\/main>/)?.output, sourceLocation: location)
    let plain = main.replacing(
      /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}/, with: "ID"
    )
    .replacing(/value="[0-9a-f]{64}"/, with: "value=\"TOKEN\"")
    try check(String(plain), name, location: location)
  }
}
