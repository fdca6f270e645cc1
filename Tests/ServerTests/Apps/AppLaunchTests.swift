// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Operations
@testable import Web

/// Apps that are opened from a page of this server, for the person of the page.
@Suite struct AppLaunchTests {
  /// Returns the launch with which the browser is sent to the app.
  private func launch(
    _ house: AppHouse, by browser: Browser? = nil, for patient: PatientID? = nil
  ) async throws -> String {
    let fields = [("app", house.app)] + (patient.map { [("patient", $0.text)] } ?? [])
    let started = try await (browser ?? house.browser).submitForm("/me/apps/start", fields)
    let location = try #require(started.headers[.location], "\(started.text)")
    #expect(
      location.hasPrefix("https://app.example.org/launch?iss=http://localhost/fhir&launch=rgl_"))
    return String(try #require(location.firstMatch(of: /launch=(rgl_[\w-]+)/)).1)
  }

  private func changes(_ launch: String) -> [String: String?] {
    ["launch": launch, "scope": "launch patient/Patient.rs"]
  }

  /// Lets someone agree to the request of a launch.
  private func decide(
    _ launch: String, _ house: AppHouse, by browser: Browser, for patient: PatientID
  ) async throws -> TestResponse {
    try await browser.submitForm(
      "/oauth/consent",
      house.fields(changes(launch)) + [
        ("allowed", "patient/Patient.rs"), ("whose", patient.text), ("answer", "allow"),
      ])
  }

  @Test func `a launch works once`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AppHouse(harness)
      let patient = house.account.patient
      let launch = try await launch(house)
      let first = try AppHouse.answer(
        try await decide(launch, house, by: house.browser, for: patient))
      let tokens = try await house.exchange(try #require(first["code"])).json()
      #expect(tokens["patient"]?.string == patient.text)
      #expect(tokens["need_patient_banner"]?.bool == true)
      let again = try AppHouse.answer(
        try await decide(launch, house, by: house.browser, for: patient))
      #expect(again["error"] == "invalid_request" && again["code"] == nil)
      // A refusal uses a launch up too.
      let other = try await self.launch(house)
      let denied = try AppHouse.answer(
        try await house.decide(changes(other), answer: "deny"))
      #expect(denied["error"] == "access_denied")
      let late = try AppHouse.answer(
        try await decide(other, house, by: house.browser, for: patient))
      #expect(late["error"] == "invalid_request")
    }
  }

  @Test func `a launch belongs to one account, app and time`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AppHouse(harness)
      let bob = try await AppHouse(harness, name: "Bob")
      let launch = try await launch(house)
      let stolen = try AppHouse.answer(
        try await decide(launch, house, by: bob.browser, for: bob.account.patient))
      #expect(stolen["error"] == "invalid_request")
      let wrongApp = try AppHouse.answer(
        try await decide(launch, bob, by: house.browser, for: house.account.patient))
      #expect(wrongApp["error"] == "invalid_request")
      let made = try AppHouse.answer(
        try await house.decide(changes("rgl_made-up"), allowed: ["patient/Patient.rs"]))
      #expect(made["error"] == "invalid_request")
      harness.clock.advance(minutes: 5)
      let late = try AppHouse.answer(
        try await decide(launch, house, by: house.browser, for: house.account.patient))
      #expect(late["error"] == "invalid_request")
    }
  }

  @Test func `a practitioner opens an app for a patient from the desk`() async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness)
      let house = try await AppHouse(harness, name: "Cleo")
      let gallery = "/me/apps/start?patient=\(practice.patient)"
      #expect(try await practice.browser.open(practice.address).text.contains(gallery))
      let page = try await practice.browser.open(gallery)
      #expect(page.status == .ok && page.text.contains("Open Tracker"), "\(page.text)")
      #expect(
        page.headers[.contentSecurityPolicy]?.contains(
          "form-action 'self' https://app.example.org;") == true)
      let launch = try await launch(house, by: practice.browser, for: practice.patient)
      let answer = try AppHouse.answer(
        try await decide(launch, house, by: practice.browser, for: practice.patient))
      let tokens = try await house.exchange(try #require(answer["code"])).json()
      #expect(tokens["patient"]?.string == practice.patient.text)
      let bearer = house.bearer(try #require(tokens["access_token"]?.string))
      let read = try await harness.send(.get, "/fhir/Patient/\(practice.patient)", bearer)
      #expect(read.status == .ok, "\(read.text)")
      let own = try await harness.send(.get, "/fhir/Patient/\(practice.doctor.patient)", bearer)
      #expect([.notFound, .forbidden].contains(own.status), "the launch is for one person")

      // Once the patient ends the access, neither a launch nor a token reaches the data.
      let next = try await self.launch(house, by: practice.browser, for: practice.patient)
      try await practice.endByPatient()
      let refused = try AppHouse.answer(
        try await decide(next, house, by: practice.browser, for: practice.patient))
      #expect(refused["error"] == "access_denied")
      let gone = try await harness.send(.get, "/fhir/Patient/\(practice.patient)", bearer)
      #expect([.notFound, .forbidden].contains(gone.status))
      let start = try await practice.browser.post(
        "/me/apps/start", ["app": house.app, "patient": practice.patient.text])
      #expect(start.status == .notFound && start.headers[.location] == nil)
    }
  }

  @Test func `family and strangers open no app for someone else`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AppHouse(harness)
      let bob = try await AppHouse(harness, name: "Bob")
      let (accounts, now) = (harness.environment.accounts, harness.clock.now)
      let (patient, family) = (house.account.patient, bob.account.id)
      for isFamily in [false, true] {
        if isFamily {
          try await harness.environment.database.write { writer in
            try accounts.grant(.family, of: patient, to: family, from: now, in: writer)
          }
          harness.environment.sessions.forget()
        }
        let page = try await bob.browser.open("/me/apps/start?patient=\(patient)")
        #expect([.notFound, .forbidden].contains(page.status))
        let start = try await bob.browser.post(
          "/me/apps/start", ["app": bob.app, "patient": patient.text])
        #expect(start.headers[.location] == nil)
      }
    }
  }

  @Test func `only enabled apps with a launch address are offered`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let browser = try await harness.session(of: ann)
      let empty = try await browser.open("/me/apps/start")
      #expect(empty.status == .ok && empty.text.contains("No apps can be opened from here."))
      #expect(try await !browser.open("/people").text.contains("/me/apps/start"))
      let plain = AppRegistration(
        name: "Plain", kind: .open, redirects: [AppHouse.redirect], scopes: "patient/*.rs")
      let administration = Administration(environment: harness.environment)
      let lines =
        try await administration
        .perform(AdministrationCommand.app(.add(plain, email: nil))).split(separator: "\n")
      let id = String(try #require(lines.first).dropFirst("client_id ".count))
      #expect(try await !browser.open("/me/apps/start").text.contains("Plain"))
      let start = try await browser.post("/me/apps/start", ["app": id])
      #expect(start.status == .notFound)
      #expect(try await browser.post("/me/apps/start", [:]).status == .unprocessableContent)

      let house = try await AppHouse(harness, name: "Bob")
      #expect(try await browser.open("/people").text.contains("href=\"/me/apps/start\""))
      #expect(try await browser.open("/me/apps/start").text.contains("Open Tracker"))
      let (accounts, now) = (harness.environment.accounts, harness.clock.now)
      try await harness.environment.database.write { writer in
        try accounts.set(
          .disabled, of: AppID(house.app), at: now, by: .hostOperator, in: writer)
      }
      #expect(try await !browser.open("/me/apps/start").text.contains("Open Tracker"))
    }
  }
}
