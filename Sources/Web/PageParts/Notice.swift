// SPDX-License-Identifier: Apache-2.0

import HTML

/// A message in the page, as prominent as its kind asks for.
package struct Notice: PagePart {
  /// The kind of a message.
  package enum Kind: String, CaseIterable, Sendable {
    case information, success, warning, error

    var icon: Icon {
      switch self {
      case .information: .info
      case .success: .check
      case .warning: .warning
      case .error: .crossInCircle
      }
    }
  }

  private let kind: Kind
  private let title: String
  private let content: Markup

  /// Creates a notice; the title is enough if there is no more to say.
  package init(_ kind: Kind, title: String, _ content: Markup = Markup()) {
    self.kind = kind
    self.title = title
    self.content = content
  }

  /// The notice.
  package var markup: Markup {
    """
    <div class="notice notice-\(kind.rawValue)">\(kind.icon)<div class="notice-body">\
    <p class="notice-title">\(title)</p>\(content)</div></div>
    """
  }
}
