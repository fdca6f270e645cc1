// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The answer of a server's `/health`, in words for the operator.
package struct HealthAnswer: Sendable, Equatable {
  /// True if the server rings reminders and keeps what it acknowledges.
  package let isHealthy: Bool
  /// One line that says so, or names the part that failed.
  package let line: String

  /// Reads an answer; one that no Regimen server gives counts as unhealthy.
  package init(status: Int, body: [UInt8]) {
    let members = try? JSONValue(parsing: body)
    switch (status, members?["status"]?.string) {
    case (200, "ok"?):
      let faults = (members?["faults"]?.array ?? []).compactMap(\.string)
      isHealthy = true
      line = faults.isEmpty ? "ok" : "ok, with faults: \(faults.joined(separator: ", "))"
    case (503, "unavailable"?):
      let part = members?["part"]?.string ?? "unknown part"
      let advice = members?["advice"]?.string.map { " \($0)" } ?? ""
      isHealthy = false
      line = "The server is not healthy: \(part).\(advice) See docs/operate.md, Health."
    default:
      isHealthy = false
      line = "The answer is not that of a Regimen server (status \(status))."
    }
  }
}
