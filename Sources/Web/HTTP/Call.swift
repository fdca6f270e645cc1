// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Foundation
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import NIOCore
import Storage

/// One request with everything that a route needs to answer it.
package struct Call: Sendable {
  /// The request as Hummingbird received it.
  package let request: Request
  /// The context of the request: path parameters, logger and peer.
  package let context: RegimenContext
  /// The services and settings of the server.
  package let environment: ServerEnvironment
  /// The parts that features add to every request.
  package let parts: RequestParts
  /// The body that the route accepts; nil if it needs only forms.
  var allowance: BodyAllowance?
  /// The account that sends the request; nil for strangers, on routes that are open to all.
  package var signedIn: SignedIn?
  /// The secret of the browser session; nil for tokens and strangers.
  package var session: Secret?
  /// The people whose pages a browser session may open; empty for tokens.
  package var people: [PersonInReach] = []
  /// The number of emergency accesses that this administrator has yet to review.
  package var unreviewed = 0
  /// The facts about the visitor that features derive; empty for tokens.
  package var facts = VisitorFacts()
  /// The patient whose address was opened, if it is not the one chosen on the device.
  var openedPatient: PatientID?
  /// True if the device should keep showing that person's pages.
  var remembersOpened = true
  /// True if redirects stay with the visited person.
  var keepsVisit = false
  /// The token of this answer's forms, masked with random bytes; empty for tokens and strangers.
  var maskedFormToken = ""
  /// The time of the request, used for all its decisions.
  package let now: Timestamp
  /// The end of the recorded changes when the request began: the answer includes everything up to
  /// there.
  let changes: ChangeCursor

  /// Creates a call before its sender is identified.
  package init(
    stranger request: Request, context: RegimenContext, environment: ServerEnvironment,
    parts: RequestParts
  ) {
    self.request = request
    self.context = context
    self.environment = environment
    self.parts = parts
    now = environment.now()
    changes = ChangeCursor(sequence: environment.database.auditSequence, at: now)
  }

  /// Identifies the sender, and records once a minute that the session or token is in use.
  package mutating func identify() async throws {
    let credentials = try await Authentication.credentials(of: self)
    signedIn = credentials.signedIn
    session = credentials.session
    people = credentials.session == nil ? [] : credentials.people
    unreviewed = credentials.session == nil ? 0 : credentials.unreviewed
    facts = credentials.facts
    if let session {
      maskedFormToken = MaskedToken.mask(
        ForgeryGuard.token(of: session), with: environment.random(MaskedToken.size))
    }
    self = visitingNamed()
    await noteUse()
  }

  /// Records once a minute that session or token is in use; an open event stream does not count.
  private func noteUse() async {
    guard let signedIn, context.endpointPath != LiveEvents.path, !environment.disk.isShort,
      signedIn.used.map({ self.now.milliseconds - $0.milliseconds >= 60_000 }) ?? true,
      environment.sessions.isToNote(signedIn.credential, at: self.now)
    else { return }
    let (accounts, now, session) = (environment.accounts, self.now, session)
    // A failure to record it must not fail the request.
    try? await environment.database.write { writer in
      if let session {
        try accounts.touch(session: session, at: now, in: writer)
      } else {
        try accounts.touch(token: signedIn.credential, at: now, in: writer)
      }
    }
  }

  /// Returns a path parameter, percent-decoded; throws "not found" if the route has none of that
  /// name.
  package func parameter(_ name: String) throws -> String {
    guard let value = context.parameters.get(name) else { throw Failure.notFound }
    guard value.utf8.contains(UInt8(ascii: "%")) else { return value }
    guard let text = value.removingPercentEncoding else { throw Failure.notFound }
    return text
  }

  /// The parameters of the query, in order, as a FHIR search reads them.
  package var query: [SearchParameter] {
    request.uri.query.map(SearchQueryParser.parse(query:)) ?? []
  }

  /// Returns the first value of a query parameter; nil if it is missing.
  package func queryValue(_ name: String) -> String? {
    queryFields.first { $0.name == name }?.value
  }

  /// The query read as form fields, so that commas are part of a value.
  package var queryFields: [FormPair] {
    request.uri.query.map(FormBody.pairs(of:)) ?? []
  }

  /// Returns a cookie's value; nil if it is missing or was sent twice.
  package func cookie(_ name: String) -> String? {
    Cookies.value(of: name, in: request.headers)
  }

  /// The language to answer in: the one chosen on this device, else the account's, else the
  /// browser's.
  package var language: Language {
    if let chosen = cookie(Preferences.languageCookie).flatMap(Language.init(tag:)) {
      return chosen
    }
    if let chosen = signedIn?.account.language { return chosen }
    return Language.negotiate(acceptLanguage: request.headers[.acceptLanguage])
  }

  /// The texts in that language.
  package var localizer: Localizer { Localizer.of(language) }

  /// The address under which the client reaches the server, without a slash at the end.
  package var baseURL: String {
    if let address = environment.settings.publicURL { return address }
    return "\(isSecure ? "https" : "http")://\(request.head.authority ?? "localhost")"
  }

  /// True if the client reaches the server over https, directly or through a trusted proxy that
  /// says so.
  package var isSecure: Bool {
    let settings = environment.settings
    guard settings.publicURL == nil, !settings.servesHTTPS else { return settings.isSecure }
    guard !settings.trustedProxies.isEmpty else { return false }
    return settings.trustedProxies.sayHTTPS(request.headers, peer: context.peerAddress)
  }

  /// The network of the client, by which its guesses are counted.
  ///
  /// It is nil for this machine itself, since a proxy on it may hide many clients.
  package var clientNetwork: String? {
    let client = environment.settings.trustedProxies.client(
      request.headers, peer: context.peerAddress)
    guard let client, !client.isLoopback else { return nil }
    return client.network.text
  }

  /// Removes the patients whose data is open only in an emergency.
  mutating func leaveEmergencies() {
    signedIn = signedIn.map { signedIn in
      var other = signedIn
      other.actor = signedIn.actor.withoutEmergencies
      return other
    }
    people.removeAll { $0.right.relationship == .emergency }
  }

  /// Returns the permission to read a patient's data for a file, a report or a feed; throws if
  /// reading or exporting is denied.
  package func authorizeExport(_ resource: String, of patient: PatientID) throws -> Authorization {
    _ = try authorize(.export, resource, of: patient)
    return try authorize(.read, resource, of: patient)
  }

  /// Returns the permission for one access to a patient's data, or throws the reason for its
  /// denial.
  ///
  /// It also refuses a change that was made for another person.
  ///
  /// - Parameter part: The Observations that the access is about; it has no meaning for other resources.
  package func authorize(
    _ action: Access.Action, _ resource: String, of patient: PatientID,
    part: ObservationPart = .measurements
  ) throws -> Authorization {
    guard let signedIn else { throw Failure.signInNeeded }
    try MadeFor.check(patient, of: self)
    let decision = decide(
      actor: signedIn.actor, action: action, patient: patient, resource: resource,
      purpose: signedIn.actor.purpose(with: patient), part: part)
    switch decision {
    case .allow(let authorization): return authorization
    case .deny(let reason): throw reason
    }
  }
}
