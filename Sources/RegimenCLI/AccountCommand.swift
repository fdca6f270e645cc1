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
      abstract: "Makes an account with a patient of its own.",
      discussion: """
        The first line of standard input is the password. With a terminal or empty input a link is \
        printed with which the owner chooses one.
        """)

    @Option(
      name: [.customLong("email"), .customLong("phone")],
      help: "The e-mail address, or the phone number with + and the country, to sign in with.")
    var email: String
    @Flag(help: "Let the account run the installation. Gives no sight of clinical data.")
    var administrator = false
    @OptionGroup var data: DataOptions

    func run() async throws {
      let line = try await AdministrationClient(data: data.folder).perform(
        .createAccount(email: email, password: passwordFromInput(), isAdministrator: administrator))
      print(line)
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
      abstract: "Prints a link with which the owner of an account chooses a new password.",
      discussion: "The link works once, for 7 days. Using it ends every session of the account.")

    @Option(help: "The e-mail address of the account.")
    var email: String
    @OptionGroup var data: DataOptions

    func run() async throws {
      print(try await AdministrationClient(data: data.folder).perform(.invite(email: email)))
    }
  }
}

extension AccountCommand {
  /// The command `regimen account change-address`.
  struct ChangeAddress: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "change-address",
      abstract: "Changes the e-mail address or phone number that an account is signed in to by.",
      discussion: """
        Make sure that it is the owner who asks. The address before is told by mail where mail is set \
        up and the server runs. Prints the account's id.
        """)

    @Option(help: "The e-mail address or phone number of the account.")
    var email: String
    @Option(help: "The new e-mail address, or the new phone number with + and the country.")
    var to: String
    @OptionGroup var data: DataOptions

    func run() async throws {
      print(
        try await AdministrationClient(data: data.folder).perform(
          .changeAddress(email: email, to: to)))
    }
  }
}

extension AccountCommand {
  /// The command `regimen account practitioner`.
  struct Practitioner: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Confirms that an account is a practitioner's, and prints its name.",
      discussion: """
        A confirmed practitioner can open a person's data for an hour in an emergency, with a reason, \
        in sight of the person and of all administrators. Nothing else is opened by it.
        """)

    @Option(help: "The e-mail address of the account.")
    var email: String
    @Flag(help: "Take it back; what the account has open is closed.")
    var end = false
    @OptionGroup var data: DataOptions

    func run() async throws {
      print(
        try await AdministrationClient(data: data.folder).perform(
          .practitioner(email: email, ends: end)))
    }
  }
}

extension AccountCommand {
  /// The command `regimen account remove-second-step`.
  struct RemoveSecondStep: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove-second-step",
      abstract: "Lets an account in by its password alone, where app, passkeys and codes are lost.",
      discussion: """
        Removes the app, all passkeys and recovery codes and ends every session. Make sure that it \
        is the owner who asks. Prints the account's id.
        """)

    @Option(help: "The e-mail address of the account.")
    var email: String
    @OptionGroup var data: DataOptions

    func run() async throws {
      print(
        try await AdministrationClient(data: data.folder).perform(.removeSecondStep(email: email)))
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
      abstract: "Makes a bearer token and prints it once.",
      discussion: """
        Scope user/*.cruds (or patient/*.cruds) has the account's own rights, user/*.rs (or \
        patient/*.rs) reads with them and changes nothing. Scope system/*.cruds \
        reaches every patient and is written to the audit trail as the account. It is listed, and can \
        be ended, on the account's page about signing in.
        """)

    @Option(help: "The e-mail address of the account.")
    var account: String
    @Option(help: "user/*.cruds, user/*.rs, patient/*.cruds, patient/*.rs or system/*.cruds.")
    var scope: String
    @Option(help: "How many days it is good for, 1 to 3650.")
    var days = 365
    @OptionGroup var data: DataOptions

    func run() async throws {
      let line = try await AdministrationClient(data: data.folder).perform(
        .createToken(email: account, scope: scope, days: days))
      print(line)
    }
  }
}

extension TokenCommand {
  /// The command `regimen token list`.
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the tokens of an account, one line each, the newest first.",
      discussion: "Id, first characters, scope, creation, expiry, last use, name.")

    @Option(help: "The e-mail address of the account.")
    var account: String
    @OptionGroup var data: DataOptions

    func run() async throws {
      let lines = try await AdministrationClient(data: data.folder).perform(
        .listTokens(email: account))
      if !lines.isEmpty { print(lines) }
    }
  }

  /// The command `regimen token end`.
  struct End: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Ends a token at once, and prints its id.")

    @Option(help: "The e-mail address of the account.")
    var account: String
    @Argument(help: "The id that the list shows, or at least the first six of its digits.")
    var id: String
    @OptionGroup var data: DataOptions

    func run() async throws {
      print(
        try await AdministrationClient(data: data.folder).perform(
          .endToken(email: account, id: id)))
    }
  }
}
