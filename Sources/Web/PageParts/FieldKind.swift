// SPDX-License-Identifier: Apache-2.0

/// The control that asks for an answer.
package enum FieldKind: Sendable {
  /// One line of text.
  case text
  /// A name, address or search, with the keyboard that fits it.
  case email, telephone, search
  /// A password, with a button to show it if scripts run.
  case password
  /// A whole number, typed as text so that no browser changes it.
  case integer
  /// A number with decimals; both comma and point can be typed.
  case decimal
  /// A date, `2026-03-01`, with a minimum and a maximum.
  case date(from: String? = nil, through: String? = nil)
  /// A time of day, `08:00`.
  case time
  /// Several lines of text.
  case lines(Int = 3)
  /// A file from the device, of types as the browser names them (`.json,application/json`).
  case file(types: String)
  /// One of many from a list.
  case select([FieldChoice])
  /// One of a few, all of them visible; short labels may be side by side.
  case radios([FieldChoice], isCompact: Bool = false)
  /// Any of a few, all of them visible.
  case checkboxes([FieldChoice], isCompact: Bool = false)

  /// True if the control is a set of inputs with a legend instead of a label.
  var isGroup: Bool {
    switch self {
    case .radios, .checkboxes: true
    default: false
    }
  }
}

/// One answer that can be chosen.
package struct FieldChoice: Sendable, Hashable {
  /// The value that the form sends.
  package let value: String
  /// The text that the person reads.
  package let label: String
  /// A line of explanation under the label.
  package let hint: String?

  /// Creates a choice.
  package init(_ value: String, _ label: String, hint: String? = nil) {
    self.value = value
    self.label = label
    self.hint = hint
  }
}
