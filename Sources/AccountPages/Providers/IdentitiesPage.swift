// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import People
import Presentation
import Storage
import Web

/// The page with the accounts at sign-in providers that open this account.
package struct IdentitiesPage: Sendable {
  static let path = "/identities"

  let identities: [Identity]
  var error: IdentityError?

  @Sendable static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await load(call, signedIn).response(call)
  }

  /// Links only what one of our pages has offered.
  @Sendable static func confirm(_ form: PostedForm) async throws -> Response {
    guard let text = form.text("ticket"), text.utf8.count <= 512 else { throw Failure.notFound }
    let id = form.call.environment.newIdentifier()
    return try await change(form) { accounts, account, now, writer in
      try accounts.accept(ticket: Secret(text: text), by: account, as: id, at: now, in: writer)
    }
  }

  @Sendable static func remove(_ form: PostedForm) async throws -> Response {
    let id = try form.parameter("identity")
    return try await change(form) { accounts, account, now, writer in
      try accounts.unlink(id, of: account, at: now, in: writer)
    }
  }

  private static func change(
    _ form: PostedForm,
    _ body:
      @escaping @Sendable (AccountStore, AccountID, Timestamp, any SQLWriter) throws -> Void
  ) async throws -> Response {
    // Sign-in methods are changed by the owner in a browser, never by a program.
    guard form.call.session != nil else { throw Failure.notFound }
    let accounts = form.call.environment.accounts
    let account = form.signedIn.account.id
    return try await form.save(thenOpen: path) { context, writer in
      try body(accounts, account, context.now, writer)
    } refused: { (error: IdentityError) in
      guard error != .notFound else { throw Failure.notFound }
      var page = try await load(form.call, form.signedIn)
      page.error = error
      return page.response(form.call)
    }
  }

  private static func load(_ call: Call, _ signedIn: SignedIn) async throws -> IdentitiesPage {
    let accounts = call.environment.accounts
    return IdentitiesPage(
      identities: try await call.environment.database.read { reader in
        try accounts.identities(of: signedIn.account.id, in: reader)
      })
  }

  private func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("providers.title")
    frame.lead = localizer.text("providers.lead")
    frame.place = .me
    frame.back = SettingsPage.account.back(localizer)
    frame.hasErrors = error != nil
    let providers = call.environment.providers
    let content: Markup = """
      <div class="narrow stack">\(error.map { Notice(.error, title: Self.message($0, localizer)) })\
      \(identities.isEmpty
        ? EmptyState(icon: .lock, text: localizer.text("providers.none")) : nil)\
      \(each: identities, { card($0, call) })\
      \(ButtonRow("\(each: providers.all, { Self.link($0, localizer) })"))</div>
      """
    return call.page(frame, content, status: error == nil ? .ok : .unprocessableContent)
  }

  private func card(_ identity: Identity, _ call: Call) -> Markup {
    let form = FormButton(
      call.localizer.text("providers.unlink"), action: "\(Self.path)/\(identity.id)/remove",
      token: call.accountToken, kind: .secondary, object: identity.label)
    let title = call.environment.providers[identity.provider]?.label ?? identity.provider
    return "\(Card(title: title, "<p>\(identity.label)</p>\(form)"))"
  }

  private static func link(_ provider: SignInProvider, _ localizer: Localizer) -> Markup {
    """
    \(LinkButton(
      localizer.text("providers.add", ["name": .text(provider.label)]),
      address: "/sign-in/with/\(provider.name)"))
    """
  }

  /// The link to this page.
  static func place(_ localizer: Localizer) -> PlaceList.Place {
    .init(localizer.text("providers.title"), address: path, icon: .lock)
  }

  private static func message(_ error: IdentityError, _ localizer: Localizer) -> String {
    switch error {
    case .taken: localizer.text("providers.taken")
    case .tooMany(let maximum):
      localizer.text("providers.too-many", ["maximum": .number(maximum)])
    case .lastWayIn, .notFound: localizer.text("providers.last-way-in")
    }
  }
}
