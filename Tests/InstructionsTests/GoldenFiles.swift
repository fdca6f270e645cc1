// SPDX-License-Identifier: Apache-2.0
import FHIR
import Foundation
import Instructions
import Localization

/// Dosages with their expected sentences, word for word, in `Golden`.
///
/// `dosages.txt` has a name, a tab and a dosage or an array of dosages in each line; `de.txt` and
/// `de-short.txt` have a name and its sentence. With REGIMEN_RECORD_GOLDEN=1 a test run writes the sentences
/// again: each changed line must be read by someone who speaks the language.
enum GoldenFiles {
  struct Structure: Sendable {
    let name: String
    let dosages: [DosageView]
  }

  static let isRecording = ProcessInfo.processInfo.environment["REGIMEN_RECORD_GOLDEN"] == "1"

  private static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "Golden")

  static func structures() throws -> [Structure] {
    try lines(of: "dosages.txt").map { line in
      let parts = line.split(separator: "\t", maxSplits: 1)
      let value = try JSONValue(parsing: Array((parts.last ?? "").utf8))
      return Structure(
        name: String(parts.first ?? ""), dosages: (value.array ?? [value]).map(DosageView.init))
    }
  }

  static func fileName(_ form: DosageForm, _ language: SentenceLanguage) -> String {
    form == .patient ? "\(language.tag).txt" : "\(language.tag)-\(form.rawValue).txt"
  }

  static func lines(of name: String) throws -> [String] {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      .split(separator: "\n").map(String.init)
  }

  static func write(_ lines: [String], to name: String) throws {
    let text = lines.joined(separator: "\n") + "\n"
    try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
  }
}
