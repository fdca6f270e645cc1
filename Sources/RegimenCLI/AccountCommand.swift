// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Server

/// `regimen account`.
struct AccountCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account", abstract: "Manages accounts.",
    subcommands: [Create.self, Invite.self])

  /// `regimen account create`.
  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Makes an account with a patient of its own.",
      discussion: """
        The first line of standard input is the password. With a terminal or empty input a link is \
        printed with which the owner chooses one.
        """)

    @Option(help: "The e-mail address to sign in with.")
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
  /// `regimen account invite`.
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

/// `regimen token`.
struct TokenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Manages bearer tokens.", subcommands: [Create.self])

  /// `regimen token create`.
  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Makes a bearer token and prints it once.",
      discussion: """
        Scope user/*.cruds (or patient/*.cruds) has the account's own rights. Scope system/*.cruds \
        reaches every patient and is written to the audit trail as the account.
        """)

    @Option(help: "The e-mail address of the account.")
    var account: String
    @Option(help: "user/*.cruds, patient/*.cruds or system/*.cruds.")
    var scope: String
    @OptionGroup var data: DataOptions

    func run() async throws {
      let line = try await AdministrationClient(data: data.folder).perform(
        .createToken(email: account, scope: scope))
      print(line)
    }
  }
}
