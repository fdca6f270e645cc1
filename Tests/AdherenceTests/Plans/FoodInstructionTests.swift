// SPDX-License-Identifier: Apache-2.0
import FHIR
import Scheduling
import Testing
import TestSupport

@testable import People
@testable import Plans

/// The instruction about food in a prescription.
@Suite struct FoodInstructionTests {
  private static func request(_ food: FoodInstruction?, replacing existing: JSONValue?) -> JSONValue
  {
    var draft = PlanDraft.tablet(["08:00"])
    draft.food = food
    return draft.medicationRequest(
      patient: "ann", authoredOn: nil, zone: .utc, replacing: existing)
  }

  private static func food(_ request: JSONValue) -> FoodInstruction? {
    PlanDraft(
      medicationRequest: request, slots: [], zone: .utc, start: PlanDraft.tablet(["08:00"]).start,
      policy: .follow)?.food
  }

  @Test(arguments: [FoodInstruction.withFood, .emptyStomach])
  func `the value is written, read, kept and removed`(food: FoodInstruction) {
    let written = Self.request(food, replacing: nil)
    #expect(Self.food(written) == food)
    #expect(Self.request(nil, replacing: written) == written)
    #expect(Self.request(food, replacing: written) == written)
    let other = food == .withFood ? FoodInstruction.emptyStomach : .withFood
    #expect(Self.food(Self.request(other, replacing: written)) == other)
    let without = Self.request(.any, replacing: written)
    #expect(Self.food(without) == nil)
    #expect(without == Self.request(nil, replacing: nil))
  }

  @Test func `the rest of the sender's resource is kept`() {
    var request = Self.request(nil, replacing: nil)
    let own: JSONValue = ["text": "Shake well"]
    var dosage = request["dosageInstruction"]?[0] ?? [:]
    dosage["additionalInstruction"] = [own]
    request["dosageInstruction"] = [dosage]
    let changed = Self.request(.withFood, replacing: request)
    #expect(changed["dosageInstruction"]?[0]?["additionalInstruction"]?[0] == own)
    #expect(Self.food(changed) == .withFood)
    #expect(Self.request(.any, replacing: changed) == request)
  }
}
