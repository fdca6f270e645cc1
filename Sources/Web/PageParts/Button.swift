// SPDX-License-Identifier: Apache-2.0

import HTML

/// The importance of a button among others.
package enum ButtonKind: String, Sendable {
  /// The one main action of a page or card: 56 px high.
  case primary
  /// An action as important as others.
  case secondary
  /// A less important action; underlined text.
  case quiet
  /// An action that removes something.
  case danger
}

/// The content of a button.
///
/// It consists of the text, an icon, the person it acts for if there are several, and the object
/// for screen readers.
package struct ButtonLabel: Sendable {
  let text: String
  let icon: Icon?
  let object: String?
  var person: String?

  var markup: Markup {
    """
    \(icon)<span>\(text)\
    \(person.map { "<span class=\"button-person\"> · \($0)</span>" as Markup })\
    \(if: object != nil, "<span class=\"visually-hidden\"> \(object ?? "")</span>")</span>
    """
  }
}

/// A submit button of the form that contains it.
package struct Button: PagePart {
  private let label: ButtonLabel
  private let kind: ButtonKind
  private let name: String?
  private let value: String?
  private let formAction: String?

  /// Creates a submit button.
  ///
  /// - Parameters:
  /// - object: The object that it acts on, read out after the text ("Taken" + "Metoprolol 50 mg").
  /// - formAction: Another address than the form's own.
  /// - person: The person it acts for, if the account has several; the form's token knows.
  package init(
    _ text: String, kind: ButtonKind = .primary, icon: Icon? = nil, object: String? = nil,
    name: String? = nil, value: String? = nil, formAction: String? = nil,
    person: String? = nil
  ) {
    label = ButtonLabel(text: text, icon: icon, object: object, person: person)
    self.kind = kind
    self.name = name
    self.value = value
    self.formAction = formAction
  }

  /// The button.
  package var markup: Markup {
    """
    <button type="submit" class="button button-\(kind.rawValue)"\
    \(Markup.attribute("name", name))\(Markup.attribute("value", value))\
    \(Markup.attribute("formaction", formAction))>\(label.markup)</button>
    """
  }
}

/// A link that looks like a button; it changes nothing.
package struct LinkButton: PagePart {
  private let label: ButtonLabel
  private let kind: ButtonKind
  private let address: String

  /// Creates a link to an address of this app.
  package init(
    _ text: String, address: String, kind: ButtonKind = .secondary, icon: Icon? = nil,
    object: String? = nil
  ) {
    label = ButtonLabel(text: text, icon: icon, object: object)
    self.kind = kind
    self.address = address
  }

  /// The link.
  package var markup: Markup {
    """
    <a class="button button-\(kind.rawValue)" href="\(address)">\(label.markup)</a>
    """
  }
}

/// A button with its own form: one press changes one thing.
package struct FormButton: PagePart {
  private let button: Button
  private let action: String
  private let token: FormToken
  private let fields: [(name: String, value: String)]

  /// Creates a form that posts its hidden fields to an address.
  package init(
    _ text: String, action: String, token: FormToken, fields: [(name: String, value: String)] = [],
    kind: ButtonKind = .primary, icon: Icon? = nil, object: String? = nil
  ) {
    button = Button(
      text, kind: kind, icon: icon, object: object, person: token.personName)
    self.action = action
    self.token = token
    self.fields = fields
  }

  /// The form with its button; empty for viewers.
  package var markup: Markup {
    guard token.mayAct else { return Markup() }
    return """
      <form method="post" action="\(action)">\(token)\
      \(each: fields, { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">" })\
      \(button)</form>
      """
  }
}

/// Buttons side by side, 8 px apart, wrapping on a narrow page.
package struct ButtonRow: PagePart {
  private let content: Markup

  /// Creates a row of `Button`, `LinkButton` and `FormButton`.
  package init(_ buttons: Markup) {
    content = buttons
  }

  /// The row.
  package var markup: Markup { "<div class=\"buttons\">\(content)</div>" }
}

/// The button that saves, which stays in sight on a phone while the content above it is scrolled.
///
/// Inside a card it appears after the card's first lines, so that a warning is seen before it.
package struct SaveBar: PagePart {
  private let content: Markup

  /// Creates a bar for one `Button`.
  package init(_ button: Markup) {
    content = button
  }

  /// The bar.
  package var markup: Markup { "<div class=\"buttons save-bar\">\(content)</div>" }
}
