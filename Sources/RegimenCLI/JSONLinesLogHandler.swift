// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Logging

/// Writes log entries as JSON lines to standard error; ids, never names.
struct JSONLinesLogHandler: LogHandler {
  let label: String
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]

  init(label: String, level: Logger.Level) {
    self.label = label
    logLevel = level
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var entry = JSONObject()
    entry["time"] = .string(
      FHIRDateTime.instantText(
        milliseconds: Int64(Date().timeIntervalSince1970 * 1000), offsetMinutes: 0))
    entry["level"] = .string(event.level.rawValue)
    entry["logger"] = .string(label)
    entry["message"] = .string("\(event.message)")
    let merged = metadata.merging(event.metadata ?? [:]) { _, new in new }
    if !merged.isEmpty {
      var object = JSONObject()
      for (key, value) in merged.sorted(by: { $0.key < $1.key }) {
        object[key] = .string("\(value)")
      }
      entry["metadata"] = .object(object)
    }
    var bytes: [UInt8] = []
    JSONValue.object(entry).write(into: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    FileHandle.standardError.write(Data(bytes))
  }
}
