// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Adherence
import Channels
import Encodings
import FHIR
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Identifiers
import Logging
import NIOCore
import Records
import Storage
import Synchronization
import Testing
import TestSupport
import TimeZones

@testable import AccountPages
@testable import Operations
@testable import Server
@testable import Web

/// A clock that a test sets.
final class TestClock: Sendable {
  private let state: Mutex<Timestamp>
  private let ran = Mutex<UInt64>(1_000_000_000)

  /// Begins on Sunday 1 March 2026 at 07:00 UTC.
  init() {
    state = Mutex(Timestamp(milliseconds: 1_772_348_400_000))
  }

  var now: Timestamp { state.withLock { $0 } }

  func advance(minutes: Int64) {
    advance(milliseconds: minutes * 60_000)
  }

  func advance(milliseconds: Int64) {
    state.withLock { $0 = $0.adding(milliseconds: milliseconds) }
    ran.withLock { $0 &+= UInt64(max(0, milliseconds)) * 1_000_000 }
  }

  /// Sets the wall clock, without affecting the uptime.
  func set(back milliseconds: Int64) {
    state.withLock { $0 = $0.adding(milliseconds: -milliseconds) }
  }

  var uptime: UInt64 { ran.withLock { $0 } }
}

/// A server without sockets over an empty database, in memory by default, with a clock that stands
/// still.
struct ServerHarness: Sendable {
  let environment: ServerEnvironment
  let clock: TestClock
  let client: Client
  let outbox: Outbox

  /// The client with which a test sends requests.
  typealias Client = any TestClientProtocol

  /// Runs a test against an empty server.
  ///
  /// - Parameters:
  /// - data: The path of a data folder to keep everything in, whichever engine other tests use.
  /// - open: Opens the empty database; nil for one of the engine that other tests use.
  static func run(
    homeZone: String = "UTC", maximumUpload: Int? = nil, requiresSecondFactor: Bool = false,
    providers: SignInProviders = .none, hasGateway: Bool = true, signingKey: String? = nil,
    bot: ChatBot? = nil, data: String? = nil,
    backups: BackupSchedule? = nil, gate: PasswordGate = PasswordGate(),
    signUp: SignUpPolicy = .invitation, crossOrigins: CrossOrigins = CrossOrigins(),
    clock: TestClock = TestClock(),
    open: (@Sendable (KeyRing, Logger) async throws -> Database)? = nil,
    _ test: @escaping @Sendable (ServerHarness) async throws -> Void
  ) async throws {
    let counter = Counter()
    let random: RandomBytes = { count in counter.bytes(count) }
    var logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    logger.logLevel = .critical
    let keys = try KeyRing.generate(random: random)
    let database =
      if let data {
        try Database.open(
          .folder(try DataFolder(path: data)), keys: keys, node: "test", logger: logger)
      } else if let open {
        try await open(keys, logger)
      } else {
        try await TestDatabase.open(keys: keys)
      }
    let accounts = AccountStore(
      cipher: FieldCipher(keys: keys), consequences: AccountConsequences.all)
    let outbox = Outbox()
    var settings = ServerSettings(publicURL: nil, homeZone: homeZone, trustedProxies: [])
    settings.requiresSecondFactor = requiresSecondFactor
    settings.dataFolder = data
    // Servers of tests that run at the same time count the same identifiers.
    settings.temporaryFolder += "/regimen-\(UUID())"
    settings.signUp = signUp
    settings.crossOrigins = crossOrigins
    settings.signUpPace = SignUpPace(milliseconds: 0)
    settings.backups = backups
    if let maximumUpload { settings.maximumUpload = maximumUpload }
    // Event streams send the existing events and end.
    settings.eventStreamSeconds = 0
    let made = ServerEnvironment(
      database: database, accounts: accounts,
      signIn: SignIn(
        database: database, store: accounts, gate: gate, random: random,
        cost: PasswordCost(logarithm: 10, blockSize: 8, parallelism: 1)),
      readAudit: ReadAudit(), zones: ZoneCatalog(), consequences: .all,
      settings: settings, random: random, now: { clock.now }, uptime: { clock.uptime },
      newIdentifier: { counter.identifier() }, setupCode: SetupCode(random: random),
      features: RegimenServer.features(
        channels: outbox.channels(hasGateway: hasGateway, signingKey: signingKey, bot: bot)),
      logger: logger)
    var features = made.features
    features[SignInProviders.self] = providers
    let environment = made.with(features: features)
    let router = try RegimenServer(environment: environment).table.router()
    let application = Application(router: router, logger: logger)
    try await application.test(.router) { client in
      try await test(
        ServerHarness(
          environment: environment, clock: clock, client: client, outbox: outbox))
    }
    await database.close()
  }

  /// Creates an account with its own patient.
  func makeAccount(
    _ name: String = "Ann", isAdministrator: Bool = false
  ) async throws -> Account {
    try await Registration(environment: environment).create(
      email: "\(name.lowercased())@example.org", displayName: name, passwordHash: nil,
      isAdministrator: isAdministrator, language: nil, by: "test")
  }

  /// Signs an account in and returns the headers that its browser sends.
  func session(of account: Account) async throws -> Browser {
    let secret = try await environment.signIn.openSession(for: account, at: clock.now)
    return Browser(harness: self, secret: secret)
  }

  /// Acts as if everyone who is signed in had just proved their identity again.
  func proveAgain() async throws {
    let now = clock.now
    try await environment.database.write { writer in
      try writer.execute("UPDATE sessions SET proved = $1, seen = $1", [SQLValue(now)])
    }
    environment.sessions.forget()
  }

  /// Creates a bearer token.
  func token(of account: Account, scope: TokenScope = .user) async throws -> HTTPFields {
    let secret = Secret(prefix: Secret.tokenPrefix, random: environment.random)
    let accounts = environment.accounts
    let now = clock.now
    try await environment.database.write { writer in
      try accounts.createToken(
        secret, for: account.id, scope: scope, patient: account.patient, at: now, in: writer)
    }
    return [.authorization: "Bearer \(secret.text)"]
  }

  /// Sends a request with an optional JSON body.
  func send(
    _ method: HTTPRequest.Method, _ address: String, _ headers: HTTPFields = [:],
    json: JSONValue? = nil
  ) async throws -> TestResponse {
    var headers = headers
    if json != nil, headers[.contentType] == nil { headers[.contentType] = "application/json" }
    return try await client.executeRequest(
      uri: address, method: method, headers: headers,
      body: json.map { ByteBuffer(bytes: $0.bytes) })
  }
}

extension TestResponse {
  /// The body as text.
  var text: String { String(buffer: body) }

  /// Returns the body as JSON.
  func json() throws -> JSONValue {
    try JSONValue(parsing: Array(buffer: body))
  }
}

/// A signed-in browser: its cookie and the token of its forms.
struct Browser: Sendable {
  let harness: ServerHarness
  let secret: Secret
  /// The chosen person, for whom its forms are made.
  var person: PatientID?

  var headers: HTTPFields {
    let choice = person.map { "; \(PersonChoice.cookie)=\($0)" } ?? ""
    return [.cookie: "regimen=\(secret.text)\(choice)", .secFetchSite: "same-origin"]
  }
  var formToken: String { ForgeryGuard.token(of: secret) }

  /// Opens a page; the fragment of the address is not sent.
  func open(_ address: String) async throws -> TestResponse {
    try await harness.send(.get, String(address.prefix { $0 != "#" }), headers)
  }

  /// Posts a form as a page of this server would.
  func post(
    _ address: String, _ fields: KeyValuePairs<String, String>, token: String? = nil
  ) async throws -> TestResponse {
    var pairs = fields.map { ($0.key, $0.value) }
    pairs.append((ForgeryGuard.field, token ?? formToken))
    if let person, !pairs.contains(where: { $0.0 == PersonChoice.guardField }) {
      pairs.append((PersonChoice.guardField, person.text))
    }
    let body = pairs.map { "\(QueryText.encode($0.0))=\(QueryText.encode($0.1))" }
      .joined(separator: "&")
    var headers = headers
    headers[.contentType] = "application/x-www-form-urlencoded"
    return try await harness.client.executeRequest(
      uri: address, method: .post, headers: headers, body: ByteBuffer(string: body))
  }
}

/// Identifiers and bytes that differ from call to call and are the same in every run.
private final class Counter: Sendable {
  private let state = Mutex<UInt64>(88_172_645_463_325_252)

  func bytes(_ count: Int) -> [UInt8] {
    state.withLock { state in
      (0..<count).map { _ in
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return UInt8(truncatingIfNeeded: state >> 32)
      }
    }
  }

  func identifier() -> String {
    let text = Hexadecimal.encode(bytes(16))
    func part(_ from: Int, _ length: Int) -> Substring { text.dropFirst(from).prefix(length) }
    return "\(part(0, 8))-\(part(8, 4))-4\(part(13, 3))-8\(part(17, 3))-\(part(20, 12))"
  }
}
