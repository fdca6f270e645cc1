// SPDX-License-Identifier: Apache-2.0

import HTML

/// A form that posts to an address, with the session's token; only the server validates its fields.
package struct Form: PagePart {
  private let action: String
  private let token: FormToken
  private let fields: Markup
  private let buttons: Markup
  private let holdsFile: Bool

  /// Creates a form from its fields and the buttons below them.
  ///
  /// - Parameter holdsFile: True if one of the fields is a file.
  package init(
    action: String, token: FormToken, holdsFile: Bool = false, fields: Markup, buttons: Markup
  ) {
    self.action = action
    self.token = token
    self.fields = fields
    self.buttons = buttons
    self.holdsFile = holdsFile
  }

  /// The form; empty for viewers.
  package var markup: Markup {
    guard token.mayAct else { return Markup() }
    return """
      <form class="form" method="post" action="\(action)"\
      \(Markup.attribute("enctype", holdsFile ? "multipart/form-data" : nil)) novalidate>\(token)\(fields)\
      \(ButtonRow(buttons))</form>
      """
  }
}
