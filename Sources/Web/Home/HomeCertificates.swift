// SPDX-License-Identifier: Apache-2.0

import Accounts
import Crypto
import Foundation
import NIOSSL
import Storage
import Synchronization
import X509

/// The certificates of `regimen serve --home`: one authority, and a server certificate that follows
/// the machine's names, its addresses and the date.
package final class HomeCertificates: Sendable {
  /// The days before its end at which the server's certificate is renewed.
  static let renewalDays: Int64 = 30

  /// The authority that devices of the home trust.
  package let authority: HomeAuthority
  private let files: HomeFiles
  private let publicHost: String?
  private let machine: @Sendable () -> HomeMachine
  private let now: @Sendable () -> Timestamp
  private let random: RandomBytes
  private let state: Mutex<State>

  private struct State: Sendable {
    var server: HomeIdentity
    var names: HomeNames
    var context: NIOSSLContext
  }

  /// Reads the folder's authority or creates one, and makes sure that there is a valid server
  /// certificate.
  ///
  /// - Parameters:
  /// - folder: The data folder; only its owner can read the files in it.
  /// - publicHost: The host of the public address, which the certificate must name; nil without
  ///   one.
  /// - Throws: ``HomeError``, and ``StorageError`` if a file cannot be read or written.
  package init(
    folder: String, publicHost: String?, machine: @escaping @Sendable () -> HomeMachine,
    now: @escaping @Sendable () -> Timestamp, random: @escaping RandomBytes
  ) throws {
    let snapshot = machine()
    let authority = try Self.authority(
      in: folder, machine: snapshot, publicHost: publicHost, at: now(), random: random)
    let path = HomeFiles.authority(in: folder).certificate
    if let publicHost {
      guard authority.permits(publicHost) else {
        throw HomeError.outsideScope(host: publicHost, path: path)
      }
    }
    files = .server(in: folder)
    let names = HomeNames(of: snapshot, publicHost: publicHost).within(authority.scope)
    // An unreadable server certificate is replaced, because devices trust only the authority.
    var server = try? HomeIdentity(from: files)
    if server?.serves(names, of: authority, at: now()) != true {
      let fresh = try authority.issue(for: names, at: now(), random: random)
      try fresh.write(to: files)
      server = fresh
    }
    guard let server else { throw HomeError.making(reason: "none exists") }
    state = Mutex(State(server: server, names: names, context: try Self.context(of: server)))
    self.authority = authority
    self.publicHost = publicHost
    self.machine = machine
    self.now = now
    self.random = random
  }

  /// The TLS settings of new connections; open ones keep theirs.
  var context: NIOSSLContext { state.withLock { $0.context } }

  /// The names and addresses of the current certificate.
  var names: HomeNames { state.withLock { $0.names } }

  /// The host under which other devices of the home find the server, in URL notation.
  package var hostForOtherDevices: String { names.hostForOtherDevices(of: machine()) }

  /// The current server certificate.
  var server: HomeIdentity { state.withLock { $0.server } }

  /// Renews the server's certificate if names, addresses or the date require it.
  ///
  /// - Returns: True if it was renewed.
  @discardableResult
  func renew() throws -> Bool {
    let names = HomeNames(of: machine(), publicHost: publicHost).within(authority.scope)
    let instant = now()
    guard !server.serves(names, of: authority, at: instant) else { return false }
    let fresh = try authority.issue(for: names, at: instant, random: random)
    let context = try Self.context(of: fresh)
    try fresh.write(to: files)
    state.withLock { $0 = State(server: fresh, names: names, context: context) }
    return true
  }

  /// The days until the authority expires.
  var daysLeft: Int64 {
    (authority.identity.end.milliseconds - now().milliseconds) / 86_400_000
  }

  private static func authority(
    in folder: String, machine: HomeMachine, publicHost: String?, at now: Timestamp,
    random: RandomBytes
  ) throws -> HomeAuthority {
    let files = HomeFiles.authority(in: folder)
    guard let identity = try HomeIdentity(from: files) else {
      let authority = try HomeAuthority.make(
        for: machine, scope: HomeScope(of: machine, publicHost: publicHost), at: now,
        random: random)
      try authority.identity.write(to: files)
      return authority
    }
    guard let scope = HomeScope(of: identity.certificate) else {
      throw HomeError.authorityUnusable(
        path: files.certificate, reason: "it does not list the names it may vouch for")
    }
    // It is never replaced automatically: a wrong clock would cost the trust of every device.
    guard now < identity.end else {
      throw HomeError.authorityEnded(
        path: files.certificate, date: identity.end.dayText, today: now.dayText)
    }
    return HomeAuthority(identity: identity, scope: scope)
  }

  /// Returns the settings: TLS 1.2 and 1.3 with HTTP/1.1 inside.
  private static func context(of server: HomeIdentity) throws -> NIOSSLContext {
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: [
        .certificate(try NIOSSLCertificate(bytes: server.der, format: .der))
      ],
      privateKey: .privateKey(
        try NIOSSLPrivateKey(bytes: Array(server.key.derRepresentation), format: .der)))
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["http/1.1"]
    return try NIOSSLContext(configuration: configuration)
  }
}

extension Timestamp {
  /// The day in UTC, such as 2036-03-01.
  fileprivate var dayText: String {
    String(date.ISO8601Format().prefix(10))
  }
}
