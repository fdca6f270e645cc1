// SPDX-License-Identifier: Apache-2.0

/// The facts about a medicine that someone takes, by which it is checked.
public struct Substance: Sendable, Hashable {
  /// Names it among those that are checked together, such as a plan's id.
  public let id: String
  /// As the person calls it.
  public let name: String
  /// The name shown to people, with the strength; ``name`` where nothing else is given.
  public var shownName: String
  /// Its ATC codes, and those of what it is made of.
  public let codes: [String]
  /// The ingredients; the medicine's own normalized name if nothing is known.
  public let contents: [String]
  /// True if the handbook or a code identifies it.
  public let isKnown: Bool
  /// False where it holds more than is listed.
  public let isComplete: Bool
}
