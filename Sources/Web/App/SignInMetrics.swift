// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import Storage
import Telemetry

/// Counts sign-ins and proofs of identity, as the audit trail records them.
package final class SignInMetrics: Sendable {
  /// The attempts by outcome: `success` or `denied`.
  package static let attempts = MetricDefinition(
    "regimen_sign_ins_total", .counter, labels: ["outcome"],
    help: "Sign-ins and proofs of identity by outcome.")

  private let successes: Counter
  private let denials: Counter

  /// Creates the counters in a registry.
  package init(factory: any MetricsFactory) {
    successes = factory.counter(Self.attempts, AuditEntry.Outcome.success.rawValue)
    denials = factory.counter(Self.attempts, AuditEntry.Outcome.denied.rawValue)
  }

  /// Counts the sign-ins among the entries of a commit.
  func committed(_ entries: [AuditEntry]) {
    for entry in entries where entry.kind == .signIn {
      (entry.outcome == .success ? successes : denials).increment(by: entry.count)
    }
  }
}

extension SignInMetrics: FeatureValue {
  /// Counters that are not kept.
  package static let absent = SignInMetrics(factory: NOOPMetricsHandler.instance)
}

extension ServerEnvironment {
  /// The counters of sign-ins.
  var signInMetrics: SignInMetrics { features[SignInMetrics.self] }
}
