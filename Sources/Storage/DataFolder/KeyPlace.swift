// SPDX-License-Identifier: Apache-2.0

/// The place where the keys of an installation are kept.
package enum KeyPlace: Sendable, Hashable {
  /// A file in the data folder, which the program creates and changes.
  case file(path: String)
  /// A credential from the service manager (`$CREDENTIALS_DIRECTORY`), which is read-only: the operator
  /// changes it.
  case credential(path: String)

  /// The name of the credential.
  package static let credentialName = "regimen-keys"

  var path: String {
    switch self {
    case .file(let path), .credential(let path): path
    }
  }
}
