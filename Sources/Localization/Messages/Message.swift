// SPDX-License-Identifier: Apache-2.0

/// A message of a catalogue, parsed once.
struct Message: Sendable, Hashable {
  /// The parts, in order.
  indirect enum Part: Sendable, Hashable {
    case text(String)
    case argument(String)
    case plural(argument: String, cases: [PluralCase])
    case select(argument: String, cases: [SelectCase])
  }

  /// One branch of a plural: for an exact number, or for a category of the language.
  struct PluralCase: Sendable, Hashable {
    enum Selector: Sendable, Hashable {
      case exactly(PlainNumber)
      case category(PluralCategory)
    }
    let selector: Selector
    let parts: [Part]
  }

  /// One branch of a select.
  struct SelectCase: Sendable, Hashable {
    let value: String
    let parts: [Part]
  }

  let parts: [Part]

  /// Creates a message that consists only of a text.
  init(literal: String) {
    parts = [.text(literal)]
  }

  init(parts: [Part]) {
    self.parts = parts
  }

  /// The names of all arguments, at any depth.
  var argumentNames: Set<String> { Self.names(in: parts) }

  private static func names(in parts: [Part]) -> Set<String> {
    var result: Set<String> = []
    for part in parts {
      switch part {
      case .text: break
      case .argument(let name): result.insert(name)
      case .plural(let argument, let cases):
        result.insert(argument)
        for one in cases { result.formUnion(names(in: one.parts)) }
      case .select(let argument, let cases):
        result.insert(argument)
        for one in cases { result.formUnion(names(in: one.parts)) }
      }
    }
    return result
  }
}
