// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FHIR
import Foundation
import Operations

/// The command `regimen cds`.
struct CDSCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cds", abstract: "Manages the systems that may ask for decision support.",
    discussion: "They call /cds-services (CDS Hooks 2.0) with tokens that they sign.",
    subcommands: [Add.self, List.self, Enable.self, Disable.self, Remove.self])

  /// The command `regimen cds add`.
  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Adds a system, or replaces its keys and rights.",
      discussion: """
        The system reads with the rights of the account, which the audit trail names. With \
        --every-patient it reaches everyone's data. Prints the issuer.
        """)

    @Option(help: "Issuer (iss) of the system's tokens: an http or https address.")
    var issuer: String
    @Option(help: "File with the system's public keys, a JSON Web Key Set. It is copied.")
    var jwks: String
    @Option(help: "E-mail address of the account whose rights apply.")
    var account: String
    @Flag(help: "Let the system ask about every patient.")
    var everyPatient = false
    @OptionGroup var data: DataOptions

    func run() async throws {
      guard let bytes = FileManager.default.contents(atPath: jwks) else {
        throw CommandFailure(description: "\(jwks) cannot be read.")
      }
      guard let keys = try? JSONValue(parsing: Array(bytes)) else {
        throw CommandFailure(description: "\(jwks) is not valid JSON.")
      }
      try await data.perform(
        .cds(.add(issuer: issuer, keys: keys, email: account, reachesEveryPatient: everyPatient)))
    }
  }
}

extension CDSCommand {
  /// The command `regimen cds list`.
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the systems, one per line.",
      discussion: "Issuer, account, reach, state, added, last used.")

    @OptionGroup var data: DataOptions

    func run() async throws {
      try await data.perform(.cds(.list))
    }
  }

  /// The command `regimen cds enable`.
  struct Enable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lets a disabled system ask again, and prints its issuer.")

    @Option(help: "Issuer of the system.")
    var issuer: String
    @OptionGroup var data: DataOptions

    func run() async throws {
      try await data.perform(.cds(.enable(issuer: issuer, isEnabled: true)))
    }
  }

  /// The command `regimen cds disable`.
  struct Disable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Keeps a system from asking, and prints its issuer.")

    @Option(help: "Issuer of the system.")
    var issuer: String
    @OptionGroup var data: DataOptions

    func run() async throws {
      try await data.perform(.cds(.enable(issuer: issuer, isEnabled: false)))
    }
  }

  /// The command `regimen cds remove`.
  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Removes a system, and prints its issuer.")

    @Option(help: "Issuer of the system.")
    var issuer: String
    @OptionGroup var data: DataOptions

    func run() async throws {
      try await data.perform(.cds(.remove(issuer: issuer)))
    }
  }
}
