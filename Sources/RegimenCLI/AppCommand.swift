// SPDX-License-Identifier: Apache-2.0

import Accounts
import ArgumentParser
import FHIR
import Foundation
import Identifiers
import Operations

/// The command `regimen app`.
struct AppCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "app", abstract: "Manages the apps that people can connect (SMART App Launch).",
    subcommands: [Add.self, List.self, Enable.self, Disable.self, Approve.self])

  /// The command `regimen app add`.
  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Registers an app; prints its client id, and its secret once.",
      discussion: """
        A public app runs on a device or in a browser and has no secret. A confidential app has a \
        secret, or keys with which it signs. A backend service acts without a person, in the name \
        of an account, and needs keys.
        """)

    @Option(help: "Name that people read.")
    var name: String
    @Option(help: "public, confidential or backend.")
    var kind = "public"
    @Option(help: "Exact redirect address. Repeat for more.")
    var redirect: [String] = []
    @Option(help: "The most that the app may ask for, such as \"launch/patient patient/*.rs\".")
    var scopes: String
    @Option(help: "Address that starts the app from a page of this server.")
    var launchURL: String?
    @Option(help: "Address of the app's picture.")
    var logo: String?
    @Option(help: "Address of the app's privacy policy.")
    var policy: String?
    @Option(help: "Address of the app's terms of use.")
    var terms: String?
    @Option(help: "File with the app's public keys (JWKS).")
    var jwks: String?
    @Option(help: "Address of the app's public keys.")
    var jwksURL: String?
    @Option(help: "E-mail address of the account in whose name a backend service acts.")
    var account: String?
    @OptionGroup var data: DataOptions

    func run() async throws {
      guard let kind = App.Kind(rawValue: kind) else {
        throw ValidationError("--kind must be public, confidential or backend.")
      }
      var registration = AppRegistration(
        name: name, kind: kind, redirects: redirect, scopes: scopes)
      registration.addresses = AppAddresses(
        launch: launchURL, logo: logo, policy: policy, terms: terms)
      registration.keySetAddress = jwksURL
      registration.keySet = try jwks.map(Self.keys)
      try await data.perform(.app(.add(registration, email: account)))
    }

    private static func keys(_ path: String) throws -> JSONValue {
      guard let bytes = FileManager.default.contents(atPath: path),
        let json = try? JSONValue(parsing: Array(bytes))
      else { throw ValidationError("\(path) cannot be read as JSON.") }
      return json
    }
  }
}

extension AppCommand {
  /// The command `regimen app list`.
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the apps, one per line.",
      discussion: "Client id, state, kind, name, scopes.")

    @OptionGroup var data: DataOptions

    func run() async throws {
      try await data.perform(.app(.list))
    }
  }

  /// The command `regimen app enable`.
  struct Enable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Enables an app.")

    @Argument(help: "The client id from the list.")
    var app: String
    @OptionGroup var data: DataOptions

    func run() async throws { try await AppCommand.set(.enabled, of: app, in: data) }
  }

  /// The command `regimen app approve`.
  struct Approve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Approves an app that registered itself, so that people can connect it.")

    @Argument(help: "The client id from the list.")
    var app: String
    @OptionGroup var data: DataOptions

    func run() async throws { try await AppCommand.set(.enabled, of: app, in: data) }
  }

  /// The command `regimen app disable`.
  struct Disable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Disables an app: none of its tokens work any more.")

    @Argument(help: "The client id from the list.")
    var app: String
    @OptionGroup var data: DataOptions

    func run() async throws { try await AppCommand.set(.disabled, of: app, in: data) }
  }

  fileprivate static func set(
    _ state: App.State, of app: String, in data: DataOptions
  ) async throws {
    try await data.perform(.app(.set(AppID(app), state)))
  }
}
