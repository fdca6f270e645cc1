// SPDX-License-Identifier: Apache-2.0

/// Where the keys of an installation are kept.
package enum KeyPlace: Sendable, Hashable {
  /// A file beside the database, which the program makes and changes.
  case file(path: String)
  /// A credential that the service manager hands over (`$CREDENTIALS_DIRECTORY`), which can only be
  /// read: the operator changes it.
  case credential(path: String)

  /// What the credential is called.
  package static let credentialName = "regimen-keys"

  var path: String {
    switch self {
    case .file(let path), .credential(let path): path
    }
  }
}
