// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import HTTPTypes
import Hummingbird
import Localization
import Storage
import Web

/// The page behind the link in a mail, on which the reader of an address confirms that it is
/// theirs.
///
/// Opening it changes nothing, since programs that scan mail open links too. It needs no session:
/// mail may be read on another device.
package struct AddressProofPage: Sendable {
  static let path = "/address"

  private enum State {
    case asked(AddressProof, Secret)
    case done, taken
  }

  private let state: State

  @Sendable static func form(_ call: Call) async throws -> Response {
    let secret = Secret(text: try call.parameter("secret"))
    let (accounts, now) = (call.environment.accounts, call.now)
    let proof = try await call.environment.database.read { reader in
      try accounts.addressProof(secret, at: now, in: reader)
    }
    guard let proof else { throw Failure.notFound }
    return AddressProofPage(state: .asked(proof, secret)).response(call)
  }

  @Sendable static func submit(_ call: Call) async throws -> Response {
    let secret = Secret(text: try call.parameter("secret"))
    _ = try await FormBody.read(call)
    let environment = call.environment
    let (accounts, now) = (environment.accounts, call.now)
    do {
      let found = try await environment.database.write { writer -> (Account, Bool)? in
        guard let proof = try accounts.addressProof(secret, at: now, in: writer) else { return nil }
        let wasProved = try accounts.addressProved(of: proof.account, in: writer) != nil
        return try accounts.prove(address: secret, at: now, in: writer).map { ($0, wasProved) }
      }
      guard let (before, wasProved) = found else { throw Failure.notFound }
      environment.sessions.forget()
      let after = try await environment.database.read { reader in
        try accounts.account(before.id, in: reader)
      }
      if after?.email != before.email {
        environment.accountSecurityMail.tellOfChange(before, wasProved: wasProved)
      }
      return AddressProofPage(state: .done).response(call)
    } catch AccountError.emailTaken {
      return AddressProofPage(state: .taken).response(call)
    }
  }

  private func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("addresses.proof.title")
    switch state {
    case .asked(let proof, let secret):
      return call.page(
        frame,
        """
        <div class="narrow stack">\
        <p>\(localizer.text("addresses.proof.about", ["address": .text(proof.name.text)]))</p>\
        \(Form(
          action: "\(Self.path)/\(secret.text)", token: FormToken(""), fields: "",
          buttons: "\(Button(localizer.text("addresses.proof.yes")))"))</div>
        """)
    case .done: return call.page(frame, notice("addresses.proof.done", call))
    case .taken:
      return call.page(frame, notice("addresses.proof.taken", call), status: .conflict)
    }
  }

  private func notice(_ key: MessageKey, _ call: Call) -> Markup {
    let localizer = call.localizer
    return """
      <div class="narrow stack">\(Notice(.information, title: localizer.text(key)))\
      \(LinkButton(localizer.text("sign-in.title"), address: "/sign-in"))</div>
      """
  }
}
