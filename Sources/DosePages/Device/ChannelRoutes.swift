// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import HTTPTypes
import Hummingbird
import Localization
import Presentation
import Reminders
import Storage
import Web

/// Setting up, testing and removing reminder channels other than devices.
package enum ChannelRoutes {
  /// The routes of the channels; the link in a test message needs no sign-in.
  package static let all: [Route] = [
    // An external address receives messages permanently, which is an export of data.
    .page(.get, NtfyPage.path, NtfyPage.form).after(.recent),
    .accountForm(NtfyPage.path, NtfyPage.submit).after(.recent, from: NtfyPage.path),
    .page(.get, ChannelPage.pattern, ChannelPage.form).after(.recent),
    .accountForm(ChannelPage.pattern, ChannelPage.submit).after(.recent, from: "/device"),
    .accountForm("/device/channels/:address/code", code),
    .accountForm("/device/channels/:address/test", test),
    .accountForm("/device/channels/:address/remove", remove),
    .open(.get, "/proof/:link", ProofPage.page),
    .open(.post, "/proof/:link", ProofPage.confirm),
  ]

  private static func test(_ form: PostedForm) async throws -> Response {
    let (id, account) = (try form.parameter("address"), form.signedIn.account)
    let environment = form.call.environment
    let context = environment.reminderContext(at: form.call.now)
    let isPhone = try await form.run { _, writer -> Bool? in
      let known = try ChannelAddresses.list(account.id, in: writer)
      guard let address = known.first(where: { $0.id == id }) else { throw Failure.notFound }
      if address.channel.isPhone,
        !(try ChannelAddresses.mayTestPhone(
          account: account.id, patient: account.patient, at: context.now, in: writer))
      {
        return nil
      }
      guard
        try ChannelAddresses.test(
          id, account: account.id, patient: account.patient, context, in: writer)
      else { throw Failure.notFound }
      return address.channel.isPhone
    }
    environment.live.reminders.ring()
    let note: DeviceNote = isPhone.map { $0 ? .coded : .tested } ?? .tooManyTests
    return form.redirect(to: note.address + "#channels")
  }

  /// Checks the code that was sent to a phone number.
  private static func code(_ form: PostedForm) async throws -> Response {
    let (id, account) = (try form.parameter("address"), form.signedIn.account.id)
    let typed = String((form.text("code-\(id)") ?? "").filter { $0 != " " }.prefix(20))
    let context = form.call.environment.reminderContext(at: form.call.now)
    let outcome = try await form.run { _, writer in
      try ChannelAddresses.prove(id, account: account, code: typed, context, in: writer)
    }
    let note: DeviceNote =
      switch outcome {
      case .unknown: throw Failure.notFound
      case .proven: .proven
      case .wrong: .wrongCode
      case .over: .codeOver
      }
    return form.redirect(to: note.address + "#channels")
  }

  private static func remove(_ form: PostedForm) async throws -> Response {
    let (id, account, now) = (
      try form.parameter("address"), form.signedIn.account.id, form.call.now
    )
    try await form.run { _, writer in
      guard try ChannelAddresses.remove(id, account: account, at: now, in: writer) else {
        throw Failure.notFound
      }
    }
    return form.redirect(to: DeviceNote.removed.address + "#channels")
  }
}

/// The page behind the link in a test message: its button confirms, without signing in, that the
/// message arrived.
package enum ProofPage {
  @Sendable static func page(_ call: Call) async throws -> Response {
    let secret = try ActionLinkRoutes.secret(call)
    let now = call.now
    let proven = try await call.environment.database.read { reader in
      try ChannelAddresses.proven(by: secret, at: now, in: reader)?.address
    }
    guard proven != nil else { return ActionLinkPage.dead(call) }
    let localizer = call.localizer
    var frame = ActionLinkPage.frame(call, localizer)
    frame.title = localizer.text("channels.proof.title")
    return call.page(
      frame,
      """
      <div class="narrow stack"><p>\(localizer.text("channels.proof.question"))</p>\
      <form class="form" method="post" action="/proof/\(secret.text)">\
      \(ButtonRow(Button(localizer.text("channels.proof.button"), icon: .check).markup))</form></div>
      """)
  }

  @Sendable static func confirm(_ call: Call) async throws -> Response {
    let secret = try ActionLinkRoutes.secret(call)
    let now = call.now
    _ = try await BodyReader.bytes(of: call)
    let isProven = try await call.environment.database.write { writer in
      guard let (_, address) = try ChannelAddresses.proven(by: secret, at: now, in: writer) else {
        return false
      }
      try ChannelAddresses.confirm(address, at: now, in: writer)
      return true
    }
    guard isProven else { return ActionLinkPage.dead(call) }
    let localizer = call.localizer
    var frame = ActionLinkPage.frame(call, localizer)
    frame.title = localizer.text("channels.proof.done-title")
    return call.page(
      frame,
      """
      <div class="narrow stack"><p>\(localizer.text("channels.proof.done"))</p></div>
      """)
  }
}
