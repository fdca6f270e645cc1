// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Storage
import Testing

@testable import Server

/// Every route with every role: what belongs to another is never shown nor changed.
@Suite struct AccessMatrixTests {
  /// Who knocks.
  enum Role: String, CaseIterable, Sendable {
    case stranger, wrongToken, otherSession, otherToken, administrator, owner, systemToken
  }

  @Test(arguments: Role.allCases)
  func `no route shows or changes what is another's`(role: Role) async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let bob = try await harness.makeAccount("Bob")
      let eve = try await harness.makeAccount("Eve", isAdministrator: true)
      let plan = try await MatrixPlan.make(harness, of: ann)
      let browser = try await harness.session(of: role == .administrator ? eve : bob)
      let headers: HTTPFields =
        switch role {
        case .stranger: [:]
        case .wrongToken: [.authorization: "Bearer rgt_nonsense"]
        case .otherSession, .administrator: browser.headers
        case .otherToken: try await harness.token(of: bob)
        case .owner: try await harness.token(of: ann)
        case .systemToken: try await harness.token(of: bob, scope: .system)
        }
      let before = try await plan.fingerprint(harness)
      for route in RegimenServer(environment: harness.environment).routes {
        try await knock(route, as: role, headers, browser, plan, harness)
      }
      if role != .owner, role != .systemToken {
        #expect(try await plan.fingerprint(harness) == before)
      }
    }
  }

  private func knock(
    _ route: Route, as role: Role, _ headers: HTTPFields, _ browser: Browser, _ plan: MatrixPlan,
    _ harness: ServerHarness
  ) async throws {
    let address = plan.address(of: route)
    let response: TestResponseValue
    if route.method == .get {
      response = .init(try await harness.send(.get, address, headers))
    } else if route.path == "/sign-out", role == .otherSession || role == .administrator {
      // It would end the session with which the other doors are tried.
      return
    } else if route.surface == .page, role == .otherSession || role == .administrator {
      response = .init(
        try await browser.post(address, ["action": "taken", "reason": "matrix", "name": "x"]))
    } else if route.surface == .page {
      let fields = [("action", "taken"), ("reason", "matrix"), ("name", "x")]
      response = .init(try await harness.submit(address, fields, headers))
    } else {
      response = .init(
        try await harness.send(route.method, address, headers, json: plan.body(of: route)))
    }
    #expect(response.status < 500, "\(route.method) \(route.path): \(response.status)")
    let mayOpen = role == .owner || role == .systemToken
    guard !mayOpen else { return }
    #expect(
      !response.text.contains(MatrixPlan.secretName),
      "\(route.method) \(route.path) shows \(role.rawValue) a medicine of another")
    if route.door == .signedIn, role == .stranger || role == .wrongToken {
      #expect(
        response.status == (route.surface == .page ? 303 : 401),
        "\(route.method) \(route.path) let \(role.rawValue) in")
    }
    if plan.isAboutPlan(route), role != .stranger, role != .wrongToken {
      #expect(
        response.status == 404,
        "\(route.method) \(route.path) told \(role.rawValue) \(response.status)")
    }
  }

  @Test func `a form of another site is refused everywhere`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let browser = try await harness.session(of: ann)
      let plan = try await MatrixPlan.make(harness, of: ann)
      let before = try await plan.fingerprint(harness)
      for route in RegimenServer(environment: harness.environment).routes
      where route.method != .get && route.door == .signedIn {
        var headers = browser.headers
        headers[.origin] = "https://evil.example"
        let forged = try await harness.send(
          route.method, plan.address(of: route), headers, json: plan.body(of: route))
        #expect(forged.status == .forbidden, "\(route.path) took a foreign origin")
        if route.surface == .page {
          let untold = try await browser.post(plan.address(of: route), [:], token: "wrong")
          #expect(untold.status == .forbidden, "\(route.path) took a form without its token")
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
