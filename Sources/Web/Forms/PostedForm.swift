// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Hummingbird
import Identifiers
import Localization
import People
import Storage

/// A form that a signed-in person posted, read and checked for forgery.
///
/// A handler has three steps: read the fields, run a command, and choose the next page or show the
/// form again.
package struct PostedForm: Sendable {
  /// The request that carried the form.
  package let call: Call
  /// The account that posted it.
  package let signedIn: SignedIn
  /// The fields as the browser sent them.
  package let fields: FormBody

  /// Creates a form that was read and checked elsewhere, for example one that arrived with a file.
  package init(call: Call, signedIn: SignedIn, fields: FormBody) {
    self.call = call
    self.signedIn = signedIn
    self.fields = fields
  }

  /// The patient whose pages are shown.
  package var patient: PatientID { call.patient(of: signedIn) }

  /// The texts in the language of the pages.
  package var localizer: Localizer { call.localizer }

  /// The context in which this account's commands run.
  package var context: CommandContext {
    call.environment.commandContext(for: signedIn, now: call.now)
  }

  /// Returns the request on the pages of the person whose record the address names.
  ///
  /// The device then keeps showing this person, unless the form was on the page of a visited one.
  package func call(openedFor patient: PatientID) -> Call {
    call.visiting(asSaidBy: fields).opening(patient)
  }

  /// Returns a field without surrounding spaces; nil if it is missing or empty.
  package func text(_ name: String) -> String? { fields.text(name) }

  /// Returns a field exactly as typed; nil if it is missing.
  package func raw(_ name: String) -> String? { fields.raw(name) }

  /// Returns true if a checkbox is ticked.
  package func isChecked(_ name: String) -> Bool { fields.isChecked(name) }

  /// Returns a path parameter, percent-decoded.
  package func parameter(_ name: String) throws -> String { try call.parameter(name) }

  /// Returns the permission for one access to the patient whose pages are shown, or throws the
  /// reason for its denial.
  package func authorize(
    _ action: Access.Action, _ resource: String, part: ObservationPart = .measurements
  ) throws -> Authorization {
    try call.authorize(action, resource, of: patient, part: part)
  }

  /// Returns the answer after a change: a redirect to a page, so that reloading does not post
  /// again.
  package func redirect(to path: String, cookies: [String] = []) -> Response {
    call.redirect(to: path, cookies: cookies)
  }

  /// Runs a command of this account in one transaction.
  @discardableResult
  package func run<Value: Sendable>(
    _ command: @escaping @Sendable (CommandContext, any SQLWriter) throws -> Value
  ) async throws -> Value {
    let context = context
    return try await call.environment.database.write { writer in try command(context, writer) }
  }

  /// Runs a command in one transaction and redirects to a page; what the command refuses shows the
  /// form again.
  ///
  /// - Parameters:
  /// - path: The next page.
  /// - command: The change; it is rolled back if it throws.
  /// - refused: Shows the form again, with the input and the mistake, for an error of this type.
  ///   All other errors are mapped to failures.
  package func save<Refusal: Error>(
    thenOpen path: String,
    _ command: @escaping @Sendable (CommandContext, any SQLWriter) throws -> Void,
    refused: (Refusal) async throws -> Response
  ) async throws -> Response {
    do {
      try await run(command)
    } catch let refusal as Refusal {
      return try await refused(refusal)
    }
    return redirect(to: path)
  }
}
