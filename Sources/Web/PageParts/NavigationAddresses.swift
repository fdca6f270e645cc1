// SPDX-License-Identifier: Apache-2.0

/// The addresses of the places in the navigation, which the composition root takes from the features.
package struct NavigationAddresses: Sendable, Hashable {
  private let addresses: [NavigationItem: String]

  /// Creates the addresses; a place without one leads to the first page.
  package init(_ addresses: [NavigationItem: String] = [:]) {
    self.addresses = addresses
  }

  /// The address of a place.
  package subscript(_ place: NavigationItem) -> String { addresses[place] ?? "/" }
}
