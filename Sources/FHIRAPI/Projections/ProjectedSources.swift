// SPDX-License-Identifier: Apache-2.0

/// The sources of all types that are created on request.
enum ProjectedSources {
  /// Returns the source of a type; nil for a type that is only stored.
  static func source(of type: FHIRType) -> (any ProjectedSource)? {
    switch type {
    case .observation: VitalsSource()
    case .communication: CommunicationSource()
    case .auditEvent: AuditEventSource()
    case .consent, .careTeam, .relatedPerson: GrantSource(type: type)
    default: nil
    }
  }
}
