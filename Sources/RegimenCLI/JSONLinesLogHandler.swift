// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Logging

/// Writes log entries as JSON lines to standard error; with ids, never names.
struct JSONLinesLogHandler: LogHandler {
  let label: String
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]
  private let output: LogOutput

  init(label: String, level: Logger.Level, output: LogOutput = .standard) {
    self.label = label
    logLevel = level
    self.output = output
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let merged = metadata.merging(event.metadata ?? [:]) { _, new in new }
    output.write(
      entry(event.level, "\(event.message)", merged), isUrgent: event.level == .critical
    ) { count in
      entry(.warning, "log lines could not be written", ["count": .stringConvertible(count)])
    }
  }

  private func entry(
    _ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata
  ) -> JSONObject {
    var entry = JSONObject()
    entry["time"] = .string(
      FHIRDateTime.instantText(
        milliseconds: Int64(Date().timeIntervalSince1970 * 1000), offsetMinutes: 0))
    entry["level"] = .string(level.rawValue)
    entry["logger"] = .string(label)
    entry["message"] = .string(message)
    if !metadata.isEmpty {
      var object = JSONObject()
      for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
        object[key] = .string("\(value)")
      }
      entry["metadata"] = .object(object)
    }
    return entry
  }
}
