// SPDX-License-Identifier: Apache-2.0

/// A medicine that someone takes, with the facts needed to check it.
public struct Substance: Sendable, Hashable {
  /// The identifier among the medicines checked together, such as a plan's id.
  public let id: String
  /// The name as the person typed it.
  public let name: String
  /// The name shown to people, with the strength; otherwise ``name``.
  public var shownName: String
  /// Its ATC codes, and those of its ingredients.
  public let codes: [String]
  /// The ingredients; the medicine's own normalized name if nothing is known.
  public let contents: [String]
  /// True if the handbook or a code identifies it.
  public let isKnown: Bool
  /// False if it contains more than is listed.
  public let isComplete: Bool
}
