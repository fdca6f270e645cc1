// SPDX-License-Identifier: Apache-2.0

import HTML

/// A form that posts to an address, with the session's token; the server alone judges its fields.
package struct Form: PagePart {
  private let action: String
  private let token: FormToken
  private let fields: Markup
  private let buttons: Markup

  /// Makes a form of fields and the buttons below them.
  package init(action: String, token: FormToken, fields: Markup, buttons: Markup) {
    self.action = action
    self.token = token
    self.fields = fields
    self.buttons = buttons
  }

  /// The form.
  package var markup: Markup {
    """
    <form class="form" method="post" action="\(action)" novalidate>\(token)\(fields)\
    \(ButtonRow(buttons))</form>
    """
  }
}
