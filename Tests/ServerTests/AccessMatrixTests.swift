// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import SiteMap
import Storage
import Testing
import TestSupport

@testable import Server
@testable import Web

/// Every route with every role: other people's data is never shown or changed.
@Suite struct AccessMatrixTests {
  @Test(arguments: MatrixRole.allCases)
  func `no route shows or changes another's data`(role: MatrixRole) async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let bob = try await harness.makeAccount("Bob")
      let eve = try await harness.makeAccount("Eve", isAdministrator: true)
      let plan = try await MatrixPlan.make(harness, of: ann)
      let knocker = try await role.knocker(harness, owner: ann, bob: bob, eve: eve)
      let before = try await plan.fingerprint(harness)
      for route in try RegimenServer(environment: harness.environment).routes {
        try await knock(route, as: role, knocker, plan, harness)
      }
      // A phone adds measurements, and changes nothing else.
      if !role.mayAct, role != .phoneToken {
        let after = try await plan.fingerprint(harness)
        #expect(after == before, "\(after.difference(from: before))")
      }
    }
  }

  private func knock(
    _ route: Route, as role: MatrixRole, _ knocker: MatrixRole.Knocker, _ plan: MatrixPlan,
    _ harness: ServerHarness
  ) async throws {
    let address = plan.address(of: route)
    let response: TestResponseValue
    if route.method == .get {
      response = .init(try await harness.send(.get, address, knocker.headers))
    } else if knocker.browser != nil,
      ["/sign-out", "/emergency/:emergency/end"].contains(route.path)
    {
      // These would end the session, or the recent proof, that the other routes need.
      return
    } else if route.surface == .page, let browser = knocker.browser {
      response = .init(
        try await browser.post(address, ["action": "taken", "reason": "matrix", "name": "x"]))
    } else if route.surface == .page {
      let fields = [("action", "taken"), ("reason", "matrix"), ("name", "x")]
      response = .init(try await harness.submit(address, fields, knocker.headers))
    } else if route.onlyReads, route.path.hasSuffix("/_search") {
      response = .init(try await harness.submit(address, plan.form(of: route), knocker.headers))
    } else {
      var headers = knocker.headers
      if route.method == .patch { headers[.contentType] = "application/json-patch+json" }
      response = .init(
        try await harness.send(route.method, address, headers, json: plan.body(of: route)))
    }
    let place = "\(route.method) \(route.path) as \(role.rawValue): \(response.status)"
    #expect(response.status < 500, "\(place)")
    if !role.maySee {
      #expect(
        !response.text.contains(MatrixPlan.secretName), "a medicine of another is shown: \(place)")
    }
    if role.isStranger, route.audience == .signedIn {
      #expect(response.status == (route.surface == .page ? 303 : 401), "let in: \(place)")
    }
    if role == .emergency, plan.isAboutPlan(route) || Self.waysOut.contains(route.path) {
      // Emergency access shows pages and changes nothing; no data can be exported as a file, a
      // report, a feed or to a program.
      if Self.waysOut.contains(route.path) {
        #expect([403, 404].contains(response.status), "\(place)")
      } else if route.method != .get, !route.onlyReads {
        #expect((400..<500).contains(response.status), "\(place)")
      } else if route.surface != .page, route.path != LiveEvents.path {
        #expect(response.status == 404, "\(place)")
      }
    }
    if role.isToken, !role.isPhone, route.surface == .page, route.audience == .signedIn {
      #expect(response.status == 403, "a token on a page: \(place)")
      return
    }
    if role.isPhone {
      if route.audience == .signedIn {
        let taken = role == .phoneToken ? [200, 201] : [404]
        #expect((route.takesVitals ? taken : [403]).contains(response.status), "\(place)")
      }
      return
    }
    if role == .readingToken {
      let changes = route.method != .get && !route.onlyReads
      if route.audience == .signedIn, route.surface == .page || changes {
        #expect(response.status == 403, "\(place)")
      }
      return
    }
    guard role.seesNothing, plan.isAboutPlan(route) else { return }
    if hasEndedChoice(role), route.method != .get, route.surface == .page {
      // A form for someone whom the account can no longer see.
      #expect(response.status == 404 || response.status == 409, "\(place)")
    } else if role.hasGrant, route.path == "/fhir/Patient/:id", route.method != .get {
      // They may see the person, but not change it.
      #expect(response.status == 403, "\(place)")
    } else if role.hasGrant,
      Self.isAboutPerson(route)
        || (role.sharesMessages && route.path == "/api/v1/events")
        || (role.sharesHeartRate && route.method == .get && Self.heartReads.contains(route.path))
    {
      // The existence of a person is no secret to those who share some of the data.
      #expect(response.status == 200, "\(place)")
    } else if role == .practitionerNothing, Self.ofEveryCare.contains(route.path) {
      // A practitioner with whom only messages are shared sees a name, and can end the care or keep
      // notes.
      #expect([200, 422].contains(response.status), "\(place)")
    } else if role.sharesHeartRate,
      ["/fhir/Observation", "/api/v1/vitals"].contains(route.path)
        || (route.path == "/fhir/Observation/:id" && route.method != .get)
        || route.path.hasPrefix("/heart-rate/warnings/")
    {
      // Someone who may see the heart rate may not write it.
      #expect(response.status == 403, "\(place)")
    } else if role.sharesHeartRate, route.path.hasPrefix("/heart-rate/monitoring/") {
      // A token has no chosen person, so it names one.
      #expect([403, 404].contains(response.status), "\(place)")
    } else {
      #expect(response.status == 404, "\(place)")
    }
  }

  /// The reads that sharing the heart rate allows; in the event stream, only questions about it.
  private static let heartReads: Set<String> = [
    "/fhir/Observation/:id", "/fhir/Observation/:id/_history", "/heart-rate/warnings/:warning",
    "/api/v1/events",
    // These roles also see the doses taken, and thereby which questionnaires are asked.
    "/api/v1/questionnaires",
  ]

  /// The routes that export data as a file, a report or a feed.
  private static let waysOut: Set<String> = [
    "/history.csv", "/history.json", "/report", "/report.pdf", "/report.csv", "/report.json",
    "/report/links", "/calendar", "/calendar.ics", "/privacy/export", "/emergency-card",
    "/care/:patient/report", "/care/:patient/report.pdf", "/heart-rate/monitoring/glance",
    "/heart-rate/phone", "/widgets", "/device/home-assistant",
  ]

  private static let ofEveryCare: Set<String> = [
    "/care/:patient", "/care/:patient/leave", "/care/:patient/messages", "/care/:patient/notes",
  ]

  private static func isAboutPerson(_ route: Route) -> Bool {
    route.path.hasPrefix("/fhir/Patient/") || route.path.hasPrefix("/people/photo/")
  }

  private func hasEndedChoice(_ role: MatrixRole) -> Bool {
    switch role {
    case .endedGuardian, .endedFamily, .endedPractitioner, .endedEmergency: true
    default: false
    }
  }

  /// A new route fails here until someone has reviewed its row.
  @Test func `every route is in the table`() async throws {
    try await ServerHarness.run { harness in
      let served = try Set(
        RegimenServer(environment: harness.environment).routes.map { route in
          // The addresses of styles and scripts change with their content.
          let path = route.path.hasPrefix("/assets/") ? "/assets" : route.path
          return "\(route.audience == .open ? "open" : "closed") \(route.method.rawValue) \(path)"
        })
      #expect(served.subtracting(MatrixTable.rows).sorted() == [])
      #expect(MatrixTable.rows.subtracting(served).sorted() == [])
    }
  }

  @Test func `every id in the table's addresses is replaced`() async throws {
    try await ServerHarness.run { harness in
      let plan = try await MatrixPlan.make(harness, of: harness.makeAccount("Ann"))
      for route in try RegimenServer(environment: harness.environment).routes {
        let path = plan.address(of: route).prefix { $0 != "?" }
        #expect(!path.contains("/:"), "\(route.path)")
      }
    }
  }

  @Test func `a form of another site is refused everywhere`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let browser = try await harness.session(of: ann)
      let plan = try await MatrixPlan.make(harness, of: ann)
      let before = try await plan.fingerprint(harness)
      for route in try RegimenServer(environment: harness.environment).routes
      where route.method != .get && route.audience == .signedIn {
        var headers = browser.headers
        headers[.origin] = "https://evil.example"
        let forged = try await harness.send(
          route.method, plan.address(of: route), headers, json: plan.body(of: route))
        #expect(forged.status == .forbidden, "\(route.path) took a foreign origin")
        if route.surface == .page {
          let untold = try await browser.post(plan.address(of: route), [:], token: "wrong")
          // If more than a password is required, the page redirects before it reads anything.
          let isLed = untold.headers[.location]?.hasPrefix(Address.proof) == true
          #expect(
            untold.status == .forbidden || (isLed && route.path.hasPrefix("/status/")),
            "\(route.path) took a form without its token")
        }
      }
      #expect(try await plan.fingerprint(harness) == before)
    }
  }
}

/// Status and body of an answer.
struct TestResponseValue: Sendable {
  let status: Int
  let text: String

  init(_ response: TestResponse) {
    status = response.status.code
    text = response.text
  }
}
