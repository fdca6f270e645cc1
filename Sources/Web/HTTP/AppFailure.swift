// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes

extension AppError: FailureConvertible {
  /// The failure of a command on the registered apps.
  package var failure: Failure {
    switch self {
    case .unknown:
      Failure(.notFound, code: "not-found", detail: "No app has this client id.")
    case .name(let maximum):
      .unprocessable("value", "The name must have 1 to \(maximum) characters.")
    case .redirect(let address):
      .unprocessable(
        "value",
        """
        The redirect address must be https, or http on localhost, without a fragment or a \
        wildcard: \(address)
        """)
    case .redirectCount(let maximum):
      .unprocessable("value", "The app needs 1 to \(maximum) redirect addresses.")
    case .address(let address):
      .unprocessable("value", "This must be an https address: \(address)")
    case .scopes(let scope):
      .unprocessable(
        "value",
        scope.isEmpty
          ? "Name the scopes that the app may ask for."
          : "The scope is unknown, or not for this kind of app: \(scope)")
    case .keys:
      .unprocessable(
        "value",
        "The public keys are missing, not valid, given twice, or not for this kind of app.")
    case .account: .unprocessable("required", "A backend service needs an account.")
    }
  }
}
