// SPDX-License-Identifier: Apache-2.0

/// An error that keeps the home's certificates from being served; each text has the remedy.
package enum HomeError: Error, Sendable, Equatable {
  /// The group or others can read a secret key.
  case keyOpenToOthers(path: String)
  /// A file of the authority is missing or was changed.
  case authorityUnusable(path: String, reason: String)
  /// The authority has expired by the clock of this machine.
  case authorityEnded(path: String, date: String, today: String)
  /// The host of the public address is outside the names that the authority may certify.
  case outsideScope(host: String, path: String)
  /// A certificate could not be made.
  case making(reason: String)
}

extension HomeError: CustomStringConvertible {
  /// The message for the operator, with the remedy.
  package var description: String {
    switch self {
    case .keyOpenToOthers(let path):
      "Others can read the secret key \(path). Set its permissions to 0600."
    case .authorityUnusable(let path, let reason):
      """
      The home authority \(path) cannot be used: \(reason). Put both of its files back, or remove \
      both and trust the new authority on each device.
      """
    case .authorityEnded(let path, let date, let today):
      """
      The home authority \(path) expired on \(date). This machine's clock says \(today). \
      If the clock is wrong, set it. If not, remove the authority's two files and trust the new \
      authority on each device.
      """
    case .outsideScope(let host, let path):
      """
      The home authority may not vouch for \(host), given with --public-url: it was made for \
      other names. Use another public address, or remove the two files of \(path) and trust the \
      new authority on each device.
      """
    case .making(let reason):
      "The certificate could not be made: \(reason)."
    }
  }
}
