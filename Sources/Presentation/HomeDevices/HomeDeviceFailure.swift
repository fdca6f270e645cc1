// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import HomeDevices
import Web

extension HomeDeviceError: FailureConvertible {
  /// The response to a failed command on a device, or to a report that is not accepted.
  package var failure: Failure {
    switch self {
    case .notFound: .notFound
    case .name(let maximum):
      .wrong("name", "must have 1 to \(maximum) characters")
    case .tooMany(let maximum):
      Failure(
        .conflict, code: "conflict",
        detail: "A person can have \(maximum) devices. Remove one first.")
    case .compartment:
      .wrong(
        "compartments",
        "must have different names of at most \(HomeDeviceCompartment.longestName) characters")
    case .tooManyCompartments(let maximum):
      .wrong("compartments", "must be at most \(maximum)")
    case .medicine: .wrong("plan", "must be the id of a medicine of the person")
    case .flood(let seconds):
      Failure(
        .tooManyRequests, code: "throttled",
        detail: "The device sends too many events. Keep them, and send them again later.",
        headers: [.retryAfter: String(seconds)])
    }
  }
}
