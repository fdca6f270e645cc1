// SPDX-License-Identifier: Apache-2.0

import Hummingbird

extension Route {
  /// Returns the route of a form that acts on the person whose pages are shown.
  ///
  /// A form from another site, or for another person than the one chosen now, is refused before the
  /// handler runs. A page about a visited person names that person in its forms, which then act on
  /// them.
  package static func form(
    _ path: String, _ submit: @escaping @Sendable (PostedForm) async throws -> Response
  ) -> Route {
    .page(.post, path) { call, signedIn in
      let fields = try await FormBody.read(call)
      let call = call.visiting(asSaidBy: fields)
      try ForgeryGuard.check(fields, of: call)
      return try await submit(PostedForm(call: call, signedIn: signedIn, fields: fields))
    }
  }

  /// Returns the route of a form that acts on the account, or on the record named in its address.
  ///
  /// A form from another site is refused before the handler runs. If the address names someone's
  /// record, the handler checks its owner.
  package static func accountForm(
    _ path: String, _ submit: @escaping @Sendable (PostedForm) async throws -> Response
  ) -> Route {
    .page(.post, path) { call, signedIn in
      let fields = try await FormBody.read(call)
      try ForgeryGuard.checkToken(fields, of: call)
      return try await submit(PostedForm(call: call, signedIn: signedIn, fields: fields))
    }
  }
}
