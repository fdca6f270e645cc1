// SPDX-License-Identifier: Apache-2.0

/// What of a patient is open to the patient and to whoever acts in the patient's place, and to nobody
/// who may merely look: who looked, a copy of everything, erasing everything.
private let personalResources: Set<String> = ["AuditEvent", "Export", "Erasure"]

extension Relationship {
  /// Whether a resource is open at all to somebody of this kind.
  func opens(_ resource: String) -> Bool {
    switch self {
    case .self_, .guardian: true
    case .family, .practitioner: !personalResources.contains(resource)
    }
  }
}
