// SPDX-License-Identifier: Apache-2.0

import HTML

/// The logo: a capsule over a horizon, half of it the rising sun.
package struct Wordmark: PagePart {
  /// The product's name, next to the logo.
  package let name: String
  /// The address that the logo links to.
  package let address: String

  /// Creates a wordmark that links to an address.
  package init(name: String, address: String = "/") {
    self.name = name
    self.address = address
  }

  /// The logo and the name as one link.
  package var markup: Markup {
    """
    <a class="wordmark" href="\(address)">\
    <svg width="32" height="32" viewBox="0 0 32 32" aria-hidden="true" focusable="false">\
    <rect class="mark-ground" width="32" height="32" rx="9"/>\
    <g transform="rotate(45 16 16)">\
    <path class="mark-sun" d="M10.5 15.200V11a5.5 5.5 0 0 1 11 0v4.200z"/>\
    <path class="mark-light" d="M10.5 16.800h11V21a5.5 5.5 0 0 1-11 0z"/></g>\
    </svg><span>\(name)</span></a>
    """
  }
}
