// SPDX-License-Identifier: Apache-2.0

/// Why a hospital's server was not read or written; holds nothing of what it said about anybody.
package enum HospitalTrouble: Error, Sendable, Hashable {
  /// The address is none that this server may speak to.
  case address
  case unreachable
  /// It asks to be left alone, for so many seconds where it says how long.
  case busy(seconds: Int?)
  /// It answered with an error of its own.
  case failing(status: Int)
  /// It sends elsewhere; that is never followed.
  case redirect
  /// What it sent is no JSON.
  case broken
  case tooLarge
  /// It is another thing than was asked for, such as a Bundle that is none.
  case unexpected
  case notFHIR
  /// A version of FHIR that is not read.
  case version(String)
  /// A further page lies on another server.
  case foreignLink
  /// The pages never end.
  case endless
  /// It sent what belongs to another person.
  case otherPatient
  /// The credentials are not good any more.
  case expired
  /// They are good, and not for this.
  case forbidden
  /// The token was made for another server.
  case audience
  /// The server, or the person behind the id, is another than the one that was connected.
  case identity
  /// The person is not known there any more.
  case patientGone
  case notFound
  case gone
  /// It refused what was sent, with its own words where it said any.
  case refused(status: Int, words: String?)
  /// Signing in there did not end as it should.
  case signIn
  /// Whoever connected it may not act for the person any more.
  case noRight
  /// This server failed to save what came.
  case notSaved

  /// A short name, as it is kept and shown.
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
