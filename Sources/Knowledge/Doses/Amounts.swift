// SPDX-License-Identifier: Apache-2.0

/// An amount of an ingredient, exact to the microgram.
public struct IngredientMass: Sendable, Hashable, Comparable {
  /// The amount in micrograms.
  public let micrograms: Int

  /// Creates an amount.
  public init(micrograms: Int) { self.micrograms = micrograms }

  /// Creates an amount in whole milligrams.
  public init(milligrams: Int) { micrograms = milligrams * 1_000 }

  /// The amount in milligrams as a decimal, such as `62.5`.
  public var milligramsText: String { thousandthsText(micrograms) }

  /// Returns true if the left mass is less.
  public static func < (left: IngredientMass, right: IngredientMass) -> Bool {
    left.micrograms < right.micrograms
  }

  static func + (left: IngredientMass, right: IngredientMass) -> IngredientMass {
    IngredientMass(micrograms: left.micrograms + right.micrograms)
  }
}

/// An amount of a liquid, exact to the microlitre.
public struct LiquidVolume: Sendable, Hashable {
  /// The amount in microlitres.
  public let microlitres: Int

  /// Creates an amount.
  public init(microlitres: Int) { self.microlitres = microlitres }

  /// The amount in millilitres as a decimal, such as `7.5`.
  public var millilitresText: String { thousandthsText(microlitres) }
}

/// The strength of a liquid: the mass of an ingredient in a volume, such as `120 mg / 5 mL`.
public struct LiquidStrength: Sendable, Hashable {
  /// The mass of the ingredient.
  public let mass: IngredientMass
  /// The volume that contains it.
  public let volume: LiquidVolume

  /// Creates a strength; nil unless both are above zero.
  public init?(mass: IngredientMass, volume: LiquidVolume) {
    guard mass.micrograms > 0, volume.microlitres > 0 else { return nil }
    self.mass = mass
    self.volume = volume
  }

  /// Reads milligrams in millilitres, such as `120/5`.
  public init?(text: String) {
    let halves = text.split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2, let mass = thousandths(halves[0]), let volume = thousandths(halves[1])
    else { return nil }
    self.init(
      mass: IngredientMass(micrograms: mass), volume: LiquidVolume(microlitres: volume))
  }

  /// Returns the volume that contains an amount; nil if it is not a whole number of microlitres.
  func volume(of amount: IngredientMass) -> LiquidVolume? {
    let (product, isTooLarge) = amount.micrograms.multipliedReportingOverflow(
      by: volume.microlitres)
    guard !isTooLarge, product % mass.micrograms == 0 else { return nil }
    return LiquidVolume(microlitres: product / mass.micrograms)
  }
}

/// Returns a decimal number in thousandths; nil if it is not a number, is negative, or has more than three
/// decimal places.
func thousandths(_ text: some StringProtocol) -> Int? {
  let parts = text.split(separator: ".", omittingEmptySubsequences: false)
  guard parts.count <= 2, let whole = parts.first, (1...7).contains(whole.count),
    parts.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }
    )
  else { return nil }
  let places = parts.count == 2 ? String(parts[1]) : "0"
  guard (1...3).contains(places.count), let number = Int(whole),
    let rest = Int(places + String(repeating: "0", count: 3 - places.count))
  else { return nil }
  return number * 1_000 + rest
}

private func thousandthsText(_ value: Int) -> String {
  let places = String(value % 1_000 + 1_000).dropFirst()
  let kept = places.reversed().drop { $0 == "0" }.reversed()
  return "\(value / 1_000)" + (kept.isEmpty ? "" : "." + String(kept))
}
