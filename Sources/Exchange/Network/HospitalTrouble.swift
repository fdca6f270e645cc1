// SPDX-License-Identifier: Apache-2.0

/// The reason why a hospital's server could not be read or written.
///
/// It contains no personal data, except that a rejection carries the server's own message.
package enum HospitalTrouble: Error, Sendable, Hashable {
  /// The operator does not allow connections to the address.
  case address
  /// The server cannot be reached.
  case unreachable
  /// The server asks to wait, for the given number of seconds if known.
  case busy(seconds: Int?)
  /// The server answered with an error.
  case failing(status: Int)
  /// The server redirects, which is never followed.
  case redirect
  /// The answer is not JSON.
  case broken
  /// The answer is larger than ``HospitalNetwork/maximumBytes``.
  case tooLarge
  /// The answer is not what was requested, such as a Bundle that is not one.
  case unexpected
  /// The address is not that of a FHIR server.
  case notFHIR
  /// The server uses a version of FHIR that is not supported.
  case version(String)
  /// A further page is on another server.
  case foreignLink
  /// The pages never end.
  case endless
  /// The server sent data of another person.
  case otherPatient
  /// The credentials are no longer valid.
  case expired
  /// The credentials are valid but do not allow the request.
  case forbidden
  /// The token was made for another server.
  case audience
  /// The server, or the person with that identifier, is not the one that was connected.
  case identity
  /// The server no longer knows the person.
  case patientGone
  /// The server has no such resource.
  case notFound
  /// The resource was deleted.
  case gone
  /// The server rejected what was sent, with its own message if there is one.
  case refused(status: Int, words: String?)
  /// The sign-in at the hospital was not completed.
  case signIn
  /// The account that made the connection may no longer act for the patient.
  case noRight
  /// This server could not save what it received.
  case notSaved

  /// The short code that is stored and shown.
  package var code: String {
    switch self {
    case .address: "address"
    case .unreachable: "unreachable"
    case .busy: "busy"
    case .failing: "failing"
    case .redirect: "redirect"
    case .broken: "broken"
    case .tooLarge: "too-large"
    case .unexpected: "unexpected"
    case .notFHIR: "not-fhir"
    case .version: "version"
    case .foreignLink: "foreign-link"
    case .endless: "endless"
    case .otherPatient: "other-patient"
    case .expired: "expired"
    case .forbidden: "forbidden"
    case .audience: "audience"
    case .identity: "identity"
    case .patientGone: "patient-gone"
    case .notFound: "not-found"
    case .gone: "gone"
    case .refused: "refused"
    case .signIn: "sign-in"
    case .noRight: "no-right"
    case .notSaved: "not-saved"
    }
  }
}
