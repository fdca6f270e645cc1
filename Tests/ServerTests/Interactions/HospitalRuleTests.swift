// SPDX-License-Identifier: Apache-2.0

import Accounts
import Exchange
import FHIR
import Storage
import Testing
import TestSupport

@testable import ImportPages
@testable import Prescriptions

/// A connection that accepts automatically still asks about every warning.
@Suite struct HospitalRuleTests {
  @Test func `only prescriptions with moderate findings wait for the person`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.plan("Entresto")
      _ = try await ann.plan("Torasemide")
      let ibuprofen = try await asksFirst("Ibuprofen", of: ann)
      let other = try await asksFirst("Testolol", of: ann)
      #expect(ibuprofen && !other)
    }
  }

  /// Returns whether the exchange with hospitals has to ask about a prescription.
  private func asksFirst(_ name: String, of person: Person) async throws -> Bool {
    var reading = ImportReading()
    reading.add(
      StreamedEntry(
        number: 1, fullURL: "https://h/fhir/MedicationRequest/1",
        resource: .success(person.request(name))))
    let prescription = try #require(reading.result(hasFurtherPages: false).prescriptions.first)
    let hospital = person.harness.environment.hospitalContext
    let context = hospital.commands(person.account.id, person.account.displayName)
    let (asksFirst, patient) = (hospital.asksFirst, person.account.patient)
    return try await hospital.database.read { reader in
      try asksFirst(prescription, patient, context, reader)
    }
  }
}
