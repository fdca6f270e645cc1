// SPDX-License-Identifier: Apache-2.0

import FHIR
import HealthData

/// Tells files of measurements from files of prescriptions by their content.
package enum HealthFileChoice {
  /// Returns true if a file holds measurements; false also if it cannot be read.
  package static func isHealth(path: String) -> Bool {
    guard let file = try? HealthFile(path: path), let head = try? file.head(4_096) else {
      return false
    }
    switch HealthFileFormat.of(head: head) {
    case .appleHealth?, .gadgetbridge?: return true
    case .table?: return (try? TableFile(file)) != nil
    case .posted?:
      // FHIR is recognized at once, or the file is larger than what apps send.
      guard !String(decoding: head, as: UTF8.self).contains("\"resourceType\""),
        file.count <= PostedFile.maximumBytes, let bytes = try? file.head(Int(file.count)),
        let body = try? JSONValue(
          parsing: bytes, limits: JSONLimits(maximumBytes: Int(PostedFile.maximumBytes)))
      else { return false }
      return PostedFile.isMeasurements(body)
    case nil: return false
    }
  }
}
