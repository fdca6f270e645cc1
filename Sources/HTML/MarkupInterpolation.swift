// SPDX-License-Identifier: Apache-2.0

extension Markup: ExpressibleByStringInterpolation {
  /// A literal without interpolations: trusted markup.
  public init(stringLiteral literal: String) {
    self.init(bytes: Array(literal.utf8))
  }

  /// A literal with interpolations: the literal parts are trusted, the values escaped.
  public init(stringInterpolation interpolation: Interpolation) {
    self.init(bytes: interpolation.bytes)
  }

  /// Collects the parts of a literal into one array of bytes.
  public struct Interpolation: StringInterpolationProtocol {
    /// The bytes so far.
    fileprivate var bytes: [UInt8]

    /// Called by the compiler before the first part.
    public init(literalCapacity: Int, interpolationCount: Int) {
      bytes = []
      bytes.reserveCapacity(literalCapacity + interpolationCount * 24)
    }

    /// A literal part: trusted.
    public mutating func appendLiteral(_ literal: String) {
      bytes.appendAll(literal)
    }

    /// Text: escaped.
    public mutating func appendInterpolation(_ text: String) {
      bytes.appendEscaped(text)
    }

    /// Text: escaped.
    public mutating func appendInterpolation(_ text: Substring) {
      bytes.appendEscaped(text)
    }

    /// A number in plain ASCII digits, for attributes and identifiers; people's numbers are localized.
    public mutating func appendInterpolation(_ number: Int) {
      bytes.appendDecimal(Int64(number))
    }

    /// A number in plain ASCII digits.
    public mutating func appendInterpolation(_ number: Int64) {
      bytes.appendDecimal(number)
    }

    /// Markup: as it is.
    public mutating func appendInterpolation(_ markup: Markup) {
      bytes.append(contentsOf: markup.bytes)
    }

    /// Markup where there is some.
    public mutating func appendInterpolation(_ markup: Markup?) {
      if let markup { bytes.append(contentsOf: markup.bytes) }
    }

    /// Pieces of markup one after the other.
    public mutating func appendInterpolation(_ markup: [Markup]) {
      for part in markup { bytes.append(contentsOf: part.bytes) }
    }

    /// Markup only when a condition holds: `<input type="checkbox"\(if: isOn, " checked")>`.
    public mutating func appendInterpolation(
      if condition: Bool, _ markup: @autoclosure () -> Markup
    ) {
      if condition { bytes.append(contentsOf: markup().bytes) }
    }

    /// One of two pieces of markup: `\(if: isOn, "on", else: "off")`.
    public mutating func appendInterpolation(
      if condition: Bool, _ markup: @autoclosure () -> Markup,
      else alternative: @autoclosure () -> Markup
    ) {
      bytes.append(contentsOf: (condition ? markup() : alternative()).bytes)
    }

    /// One piece of markup for each element, in order.
    public mutating func appendInterpolation<Elements: Sequence>(
      each elements: Elements, _ view: (Elements.Element) -> Markup
    ) {
      for element in elements { bytes.append(contentsOf: view(element).bytes) }
    }
  }
}
