// SPDX-License-Identifier: Apache-2.0

import Access

// Prints the time of one decision in nanoseconds, for someone with 50 people.
let rights = Dictionary(
  uniqueKeysWithValues: (0..<50).map { number in
    (
      "1d96f6a2-0000-4000-8000-0000000000\(number + 10)",
      number % 2 == 0 ? PatientRight(.guardian) : PatientRight(.family, categories: [.medicines])
    )
  })
let actor = Actor(accountID: "ann", kind: .session, rights: rights, scope: .session)
let patients = rights.keys.sorted() + ["1d96f6a2-0000-4000-8000-000000009999"]
let resources = ["MedicationRequest", "Dose", "Patient", "AuditEvent"]
let rounds = 1_000_000
var allowed = 0
let begun = ContinuousClock.now
for round in 0..<rounds {
  let decision = decide(
    actor: actor, action: round % 3 == 0 ? .update : .read,
    patient: patients[round % patients.count], resource: resources[round % resources.count],
    purpose: .care)
  if case .allow = decision { allowed += 1 }
}
let spent = ContinuousClock.now - begun
let nanoseconds =
  (Double(spent.components.seconds) * 1e9 + Double(spent.components.attoseconds) / 1e9)
  / Double(rounds)
print("\(nanoseconds) \(allowed)")
