// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Operations

/// The command `regimen account`.
struct AccountCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account", abstract: "Manages accounts.",
    subcommands: [
      Create.self, Invite.self, ChangeAddress.self, Practitioner.self, RemoveSecondStep.self,
    ])

  /// The command `regimen account create`.
  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Creates an account and its patient.",
      discussion: """
        The first line of standard input is the password. With a terminal or empty input, prints a \
        link for the owner to choose one.
        """)

    @Option(
      name: [.customLong("email"), .customLong("phone")],
      help: "E-mail address, or phone number with + and country code, to sign in with.")
    var email: String
    @Flag(help: "Make the account an administrator. Gives no access to health data.")
    var administrator = false
    @OptionGroup var data: DataOptions

    func run() async throws {
      try await data.perform(
        .createAccount(email: email, password: passwordFromInput(), isAdministrator: administrator))
    }

    private func passwordFromInput() -> String? {
      guard isatty(STDIN_FILENO) == 0, let line = readLine(strippingNewline: true), !line.isEmpty
      else { return nil }
      return line
    }
  }
}

extension AccountCommand {
  /// The command `regimen account invite`.
  struct Invite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints a link for the account's owner to choose a new password.",
      discussion: "The link works once, within 7 days. Using it ends all sessions of the account.")

    @Option(help: "E-mail address of the account.")
    var email: String
    @OptionGroup var data: DataOptions

    func run() async throws {
      try await data.perform(.invite(email: email))
    }
  }
}

extension AccountCommand {
  /// The command `regimen account change-address`.
  struct ChangeAddress: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "change-address",
      abstract: "Changes the e-mail address or phone number of an account.",
      discussion: """
        Check first that the owner asked for it. The old address gets a mail if mail is set \
        up and the server runs. Prints the account's id.
        """)

    @Option(help: "E-mail address or phone number of the account.")
    var email: String
    @Option(help: "New e-mail address, or new phone number with + and country code.")
    var to: String
    @OptionGroup var data: DataOptions

    func run() async throws {
      try await data.perform(.changeAddress(email: email, to: to))
    }
  }
}

extension AccountCommand {
  /// The command `regimen account practitioner`.
  struct Practitioner: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Confirms that an account belongs to a practitioner, and prints its name.",
      discussion: """
        A confirmed practitioner can open a person's data for one hour in an emergency, with a \
        reason. The person and all administrators see it. It gives no other access.
        """)

    @Option(help: "E-mail address of the account.")
    var email: String
    @Flag(help: "Withdraw the confirmation. Any open emergency access ends.")
    var end = false
    @OptionGroup var data: DataOptions

    func run() async throws {
      try await data.perform(.practitioner(email: email, ends: end))
    }
  }
}

extension AccountCommand {
  /// The command `regimen account remove-second-step`.
  struct RemoveSecondStep: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove-second-step",
      abstract: "Removes an account's second step, if app, passkeys and codes are lost.",
      discussion: """
        Removes the app, all passkeys and recovery codes, and ends all sessions. Check first that \
        the owner asked for it. Prints the account's id.
        """)

    @Option(help: "E-mail address of the account.")
    var email: String
    @OptionGroup var data: DataOptions

    func run() async throws {
      try await data.perform(.removeSecondStep(email: email))
    }
  }
}

/// The command `regimen token`.
struct TokenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Manages bearer tokens.",
    subcommands: [Create.self, List.self, End.self])

  /// The command `regimen token create`.
  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Creates a bearer token and prints it once.",
      discussion: """
        Scope user/*.cruds (or patient/*.cruds) has the account's own rights; user/*.rs (or \
        patient/*.rs) can only read. Scope system/*.cruds \
        reaches every patient; the audit trail names the account. Tokens are listed, and can \
        be ended, on the account's sign-in page.
        """)

    @Option(help: "E-mail address of the account.")
    var account: String
    @Option(help: "user/*.cruds, user/*.rs, patient/*.cruds, patient/*.rs or system/*.cruds.")
    var scope: String
    @Option(help: "Days until it expires, 1 to 3650.")
    var days = 365
    @OptionGroup var data: DataOptions

    func run() async throws {
      try await data.perform(.createToken(email: account, scope: scope, days: days))
    }
  }
}

extension TokenCommand {
  /// The command `regimen token list`.
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists an account's tokens, one per line, newest first.",
      discussion: "Id, first characters, scope, created, expires, last used, name.")

    @Option(help: "E-mail address of the account.")
    var account: String
    @OptionGroup var data: DataOptions

    func run() async throws {
      try await data.perform(.listTokens(email: account))
    }
  }

  /// The command `regimen token end`.
  struct End: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Ends a token immediately, and prints its id.")

    @Option(help: "E-mail address of the account.")
    var account: String
    @Argument(help: "The id from the list, or at least its first six digits.")
    var id: String
    @OptionGroup var data: DataOptions

    func run() async throws {
      try await data.perform(.endToken(email: account, id: id))
    }
  }
}
