// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Knowledge

/// The forms and strengths that a person chooses from with one tap.
@Suite struct KnownProductTests {
  private static func products(_ name: String) -> [String] {
    let medicine = Handbook.shipped.medicines.first { $0.name == name }
    return (medicine?.products ?? []).map { "\($0.form) \($0.strength) \($0.unit)" }
  }

  @Test(arguments: [
    ("metoprolol", ["tablet 25 mg", "tablet 50 mg", "tablet 100 mg"]),
    ("ibuprofen", ["tablet 200 mg", "tablet 400 mg", "liquid 20 mg/mL", "drops 40 mg/mL"]),
    (
      "azithromycin",
      ["capsule 250 mg", "capsule 500 mg", "tablet 250 mg", "tablet 500 mg", "liquid 40 mg/mL"]
    ),
    ("levothyroxine", ["tablet 25 microgram", "tablet 50 microgram", "tablet 100 microgram"]),
    ("clotrimazole", ["cream 1 %"]),
    ("cetirizine", ["tablet 10 mg", "liquid 1 mg/mL", "drops 10 mg/mL"]),
    ("ambroxol", ["tablet 30 mg", "capsule 75 mg", "liquid 3 mg/mL", "liquid 6 mg/mL"]),
    ("colecalciferol", ["capsule 1000 IU"]),
    // Nothing is guessed: combinations, pens, and parts that are not fully understood.
    ("co-trimoxazole", []),
    ("insulin glargine", []),
    ("epinephrine auto-injector", []),
    ("diazepam", ["tablet 2 mg", "tablet 5 mg"]),
  ])
  func `clearly stated forms and strengths are read`(name: String, expected: [String]) {
    #expect(Self.products(name) == expected)
  }

  @Test func `a strength for another volume is kept as printed`() throws {
    let ibuprofen = try #require(Handbook.shipped.medicines.first { $0.name == "ibuprofen" })
    #expect(
      ibuprofen.products.map(\.printed) == [nil, nil, "100 mg/5 mL", "50 mg/1.25 mL"])
  }

  @Test func `every known product has a sensible strength and each is listed once`() {
    for medicine in Handbook.shipped.medicines {
      let products = medicine.products
      #expect(Set(products).count == products.count, "\(medicine.name)")
      for product in products {
        #expect((Double(product.strength) ?? 0) > 0, "\(medicine.name): \(product)")
      }
    }
  }
}
