// SPDX-License-Identifier: Apache-2.0

extension Markup: ExpressibleByStringInterpolation {
  /// Creates trusted markup from a literal without interpolations.
  public init(stringLiteral literal: String) {
    self.init(bytes: Array(literal.utf8))
  }

  /// Creates markup from a literal: its own parts are trusted, interpolated values are escaped.
  public init(stringInterpolation interpolation: Interpolation) {
    self.init(bytes: interpolation.bytes)
  }

  /// Collects the parts of a literal into one array of bytes.
  public struct Interpolation: StringInterpolationProtocol {
    /// The bytes so far.
    fileprivate var bytes: [UInt8]

    /// Creates the collector; called by the compiler before the first part.
    public init(literalCapacity: Int, interpolationCount: Int) {
      bytes = []
      bytes.reserveCapacity(literalCapacity + interpolationCount * 24)
    }

    /// Appends a trusted part of the literal.
    public mutating func appendLiteral(_ literal: String) {
      bytes.appendAll(literal)
    }

    /// Appends escaped text.
    public mutating func appendInterpolation(_ text: String) {
      bytes.appendEscaped(text)
    }

    /// Appends escaped text.
    public mutating func appendInterpolation(_ text: Substring) {
      bytes.appendEscaped(text)
    }

    /// Appends a number in plain ASCII digits, for attributes and identifiers; numbers for people are
    /// localized.
    public mutating func appendInterpolation(_ number: Int) {
      bytes.appendDecimal(Int64(number))
    }

    /// Appends a number in plain ASCII digits.
    public mutating func appendInterpolation(_ number: Int64) {
      bytes.appendDecimal(number)
    }

    /// Appends markup unchanged.
    public mutating func appendInterpolation(_ markup: Markup) {
      bytes.append(contentsOf: markup.bytes)
    }

    /// Appends markup unless it is nil.
    public mutating func appendInterpolation(_ markup: Markup?) {
      if let markup { bytes.append(contentsOf: markup.bytes) }
    }

    /// Appends pieces of markup one after another.
    public mutating func appendInterpolation(_ markup: [Markup]) {
      for part in markup { bytes.append(contentsOf: part.bytes) }
    }

    /// Appends markup only if a condition is true: `<input type="checkbox"\(if: isOn, " checked")>`.
    public mutating func appendInterpolation(
      if condition: Bool, _ markup: @autoclosure () -> Markup
    ) {
      if condition { bytes.append(contentsOf: markup().bytes) }
    }

    /// Appends one of two pieces of markup: `\(if: isOn, "on", else: "off")`.
    public mutating func appendInterpolation(
      if condition: Bool, _ markup: @autoclosure () -> Markup,
      else alternative: @autoclosure () -> Markup
    ) {
      bytes.append(contentsOf: (condition ? markup() : alternative()).bytes)
    }

    /// Appends a piece of markup for each element, in order.
    public mutating func appendInterpolation<Elements: Sequence>(
      each elements: Elements, _ view: (Elements.Element) -> Markup
    ) {
      for element in elements { bytes.append(contentsOf: view(element).bytes) }
    }
  }
}
