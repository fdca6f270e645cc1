// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension HTTPField.Name {
  /// The seconds after which a browser reloads the page: this is how pages without a script show
  /// progress.
  package static let refresh = HTTPField.Name("Refresh") ?? .via
}
