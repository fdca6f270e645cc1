// SPDX-License-Identifier: Apache-2.0

/// An address that has changed and that bookmarks, notifications and printed pages may still contain.
package struct MovedAddress: Sendable, Hashable {
  /// The pattern of the old address, such as "/medicines/:plan/look".
  package let old: String
  /// The pattern of the new address, with the same parameters.
  package let new: String

  init(_ old: String, _ new: String) {
    self.old = old
    self.new = new
  }

  /// Returns the new address with its parameters filled in.
  ///
  /// - Parameter value: returns the text of a parameter as in the requested address.
  package func address(_ value: (String) throws -> String) rethrows -> String {
    try new.split(separator: "/").map { part in
      try "/" + (part.hasPrefix(":") ? value(String(part.dropFirst())) : String(part))
    }.joined()
  }

  /// The pages that have moved.
  ///
  /// Targets of forms are not listed: a form always comes from a page of the same version.
  package static let all: [MovedAddress] = [
    .init("/care/:patient/heart", "/care/:patient/heart-rate"),
    .init("/care/:patient/times", "/care/:patient/simplify"),
    .init("/details", Address.me),
    .init("/doors", Address.accountSecurity),
    .init("/doors/address", "/account/security/address"),
    .init("/doors/codes", "/account/security/codes"),
    .init("/doors/device/:link", "/account/security/device/:link"),
    .init("/doors/passkeys", "/account/security/passkeys"),
    .init("/doors/password", "/account/security/password"),
    .init("/doors/prove", Address.proof),
    .init("/doors/tokens", "/account/tokens"),
    .init("/heart", Address.heartRate),
    .init("/heart/import", Address.heartRateImport),
    .init("/heart/import/:job", "/heart-rate/import/:job"),
    .init("/heart/phone", "/heart-rate/phone"),
    .init("/heart/questions", "/heart-rate/questions"),
    .init("/heart/warnings", "/heart-rate/warnings"),
    .init("/heart/warnings/:warning", "/heart-rate/warnings/:warning"),
    .init("/heart/watch", Address.heartRateMonitoring),
    .init("/heart/watch/graph", Address.heartRateGraph),
    .init("/heart/watch/limit", "/heart-rate/monitoring/limit"),
    .init("/heart/watch/settings", "/heart-rate/monitoring/settings"),
    .init("/heart/watch/start", "/heart-rate/monitoring/start"),
    .init("/medicines/:plan/look", "/medicines/:plan/appearance"),
    .init("/medicines/times", Address.simplification),
    .init("/notices", Address.caregiverMessages),
    .init("/notices/rules", "/caregiver-messages/rules"),
    .init("/notices/rules/:account", "/caregiver-messages/rules/:account"),
    .init("/privacy/looked", "/privacy/access-log"),
  ]
}
