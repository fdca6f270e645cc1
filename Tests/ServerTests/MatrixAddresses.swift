// SPDX-License-Identifier: Apache-2.0

/// Addresses that the access matrix treats in their own way.
enum MatrixAddresses {
  /// Lists that are requested by patient.
  static let lists: Set<String> = [
    "/api/v1/doses", "/api/v1/deliveries", "/api/v1/events", "/api/v1/proposals",
    "/api/v1/audit", "/api/v1/alarms", "/api/v1/as-needed", "/api/v1/stock", "/api/v1/looks",
    "/api/v1/intake-times", "/api/v1/home-devices", "/api/v1/follow-ups", "/api/v1/sites",
    "/api/v1/questionnaires",
  ]
  /// Addresses that name only the patient.
  static let byPatient: Set<String> = [
    "/api/v1/alarms", "/api/v1/as-needed", "/api/v1/diary/trackers",
    "/api/v1/diary/entries", "/api/v1/events", "/api/v1/follow-ups", "/api/v1/sites",
    "/api/v1/home-devices",
    "/api/v1/imports", "/api/v1/intake-times", "/api/v1/looks", "/api/v1/proposals",
    "/api/v1/questionnaires", "/api/v1/stock", "/api/v1/voice", "/fhir/AuditEvent",
  ]
}
