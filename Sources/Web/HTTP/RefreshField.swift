// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension HTTPField.Name {
  /// The seconds after which a browser loads the page again: this is how pages without a script
  /// follow progress.
  package static let refresh = HTTPField.Name("Refresh") ?? .via
}
