// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTTPTypes
import Hummingbird
import Identifiers

/// The account and the person that a request was made for, if it names them.
///
/// An action queued on a device names both, so that it never acts for someone else who is signed in
/// later.
package enum MadeFor {
  /// Refuses a request that was made for a different account than the one that sends it.
  static func checkAccount(of call: Call) throws {
    guard let meant = call.request.headers[.madeForAccount], let signedIn = call.signedIn else {
      return
    }
    guard meant == signedIn.account.id.text else { throw wrongAccount }
  }

  /// Refuses a change that was made for a different person than the one it would act on.
  ///
  /// If the sender may not see that person, the usual refusal follows, so that no one learns that
  /// the person exists.
  package static func check(_ patient: PatientID, of call: Call) throws {
    guard let meant = call.request.headers[.madeForPatient], meant != patient.text,
      call.request.method != .get, call.request.method != .head,
      let actor = call.signedIn?.actor, actor.rights[patient] != nil || actor.scope.systemWide
    else { return }
    throw wrongPerson
  }

  private static let wrongAccount = Failure(
    .conflict, code: "wrong-account",
    detail: "This request was for another account. Sign in to that one.")

  private static let wrongPerson = Failure(
    .conflict, code: "wrong-person",
    detail: "This request was for another person. Choose that one first.")
}

extension HTTPField.Name {
  /// The id of the account that a request was made for.
  static let madeForAccount = known("Regimen-Account")
  /// The id of the patient that a request was made for.
  static let madeForPatient = known("Regimen-Patient")
}
