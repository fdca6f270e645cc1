// SPDX-License-Identifier: Apache-2.0

/// What is known of a medicine that someone takes: what it is checked by.
public struct Substance: Sendable, Hashable {
  /// Names it among those that are checked together, such as a plan's id.
  public let id: String
  /// As the person calls it.
  public let name: String
  /// The name shown to people, with the strength; ``name`` where nothing else is given.
  public var shownName: String
  /// Its ATC codes, and those of what it is made of.
  public let codes: [String]
  /// What it contains; its own name in one form where nothing is known.
  public let contents: [String]
  /// Whether the handbook or a code says what it is.
  public let isKnown: Bool
  /// False where it holds more than is listed.
  public let isComplete: Bool
}
