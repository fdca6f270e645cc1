// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import SiteMap
import Web

/// The field that searches medicines, people, settings and help, on one line with its button.
package struct SearchField: PagePart {
  /// The name of the field, and of the query parameter.
  package static let name = "q"
  /// The most characters that can be typed; no name is longer.
  package static let longest = 100

  private let query: String
  private let localizer: Localizer

  /// Creates the field with what was typed before.
  package init(query: String = "", localizer: Localizer) {
    self.query = query
    self.localizer = localizer
  }

  /// The form, which opens the page of the results.
  package var markup: Markup {
    """
    <form class="search-field" method="get" action="\(Address.search)" role="search">\
    <label class="visually-hidden" for="search">\(localizer.text("search.label"))</label>\
    <input class="input" type="search" id="search" name="\(Self.name)" value="\(query)" \
    maxlength="\(Self.longest)" placeholder="\(localizer.text("search.placeholder"))" \
    autocomplete="off">\
    <button type="submit" class="button button-secondary">\(Icon.search)\
    <span class="visually-hidden">\(localizer.text("search.submit"))</span></button></form>
    """
  }
}
