// SPDX-License-Identifier: Apache-2.0

/// Text from users, made safe for the operator's terminal.
package enum TerminalText {
  /// Returns the text on one line: a space replaces each character that controls a terminal, breaks
  /// the line or changes the direction of writing.
  package static func line(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { scalars.append(isShown(scalar) ? scalar : " ") }
    return String(scalars)
  }

  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // C0 and C1 controls, including escape and delete.
    case 0x00...0x1F, 0x7F...0x9F: false
    // Direction marks, embeddings, overrides and isolates.
    case 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: false
    // Line and paragraph separators.
    case 0x2028...0x2029: false
    default: true
    }
  }
}
