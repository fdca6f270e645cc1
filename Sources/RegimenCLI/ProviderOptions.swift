// SPDX-License-Identifier: Apache-2.0

import AccountPages
import ArgumentParser
import Configuration
import Foundation
import Logging
import Outbound
import Secrecy

/// The sign-in providers: `REGIMEN_OIDC_PROVIDERS` names them, and each has its own settings, such
/// as `REGIMEN_OIDC_CITY_ISSUER`.
struct ProviderOptions: Sendable {
  private var configured: [SignInProvider] = []
  private var hosts: [HostRule] = []

  init() {}

  /// Reads variables and file; invalid settings end the start.
  init(_ reader: ConfigReader) throws {
    let names = Self.list(reader.string(forKey: "oidc.providers"))
    for name in names {
      guard SignInProvider.isName(name), names.filter({ $0 == name }).count == 1 else {
        throw ValidationError(
          "REGIMEN_OIDC_PROVIDERS must list different names of lowercase letters and digits.")
      }
      func setting(_ part: String) -> String? {
        reader.string(forKey: ConfigKey("oidc.\(name).\(part)"), isSecret: part == "client.secret")
          .flatMap { $0.isEmpty ? nil : $0 }
      }
      func variable(_ part: String) -> String { "REGIMEN_OIDC_\(name.uppercased())_\(part)" }
      guard let clientID = setting("client.id"), clientID.utf8.count <= 512 else {
        throw ValidationError("Set \(variable("CLIENT_ID")).")
      }
      let isFacebook = (setting("preset") ?? name) == "facebook"
      let secret = setting("client.secret")
      let kind: SignInProvider.Kind
      if isFacebook {
        guard secret != nil else {
          throw ValidationError("Set \(variable("CLIENT_SECRET")).")
        }
        let preset = FacebookAddresses()
        let addresses = FacebookAddresses(
          dialog: setting("dialog") ?? preset.dialog, graph: setting("graph") ?? preset.graph)
        kind = .facebook(addresses)
        hosts.append(try Self.host(of: addresses.dialog, variable("DIALOG")))
        hosts.append(try Self.host(of: addresses.graph, variable("GRAPH")))
      } else {
        guard let issuer = setting("issuer") else {
          throw ValidationError("Set \(variable("ISSUER")).")
        }
        kind = .openID(issuer: issuer)
        hosts.append(try Self.host(of: issuer, variable("ISSUER")))
      }
      for text in Self.list(setting("hosts")) {
        guard let rule = HostRule(text) else {
          throw ValidationError(
            "\(variable("HOSTS")) must name hosts such as keys.example.org or *.example.org.")
        }
        hosts.append(rule)
      }
      configured.append(
        SignInProvider(
          name: name, label: setting("label") ?? name.capitalized, kind: kind,
          clientID: clientID, clientSecret: secret.map { Concealed($0) }))
    }
  }

  /// Returns the client for the configured hosts and no others.
  func client(logger: Logger) -> OutboundClient {
    OutboundClient(policy: policy, monotonicNow: Composition.uptime, logger: logger)
  }

  func providers(through client: OutboundClient) -> SignInProviders {
    SignInProviders(configured, network: ProviderNetwork(client: client, policy: policy))
  }

  private var policy: OutboundPolicy { OutboundPolicy(allowed: [], operatorAllowed: hosts) }

  private static func list(_ text: String?) -> [String] {
    (text ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  /// Returns the host of an address that is https, or plain http on this machine.
  private static func host(of address: String, _ variable: String) throws -> HostRule {
    guard let parts = URLComponents(string: address), let host = parts.host, !host.isEmpty,
      parts.query == nil, parts.fragment == nil, parts.user == nil,
      parts.scheme == "https"
        || (parts.scheme == "http" && ["127.0.0.1", "localhost", "[::1]"].contains(host)),
      let rule = HostRule(parts.port.map { "\(host):\($0)" } ?? host)
    else {
      throw ValidationError("\(variable) must be an https address.")
    }
    return rule
  }
}
