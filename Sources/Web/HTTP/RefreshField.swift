// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension HTTPField.Name {
  /// Seconds after which a browser asks again: how a page without a script follows what goes on.
  package static let refresh = HTTPField.Name("Refresh") ?? .via
}
