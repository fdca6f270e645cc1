// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Testing
import TestSupport

@testable import People
@testable import Server
@testable import Web

/// The tabs of each role, and the pages they open.
@Suite struct PlaceTests {
  /// Returns the addresses in the navigation of a page.
  static func tabs(_ page: String) throws -> [String] {
    let navigation = try #require(page.firstMatch(of: /<nav class="navigation".*?<\/nav>/)).output
    return navigation.matches(of: /href="([^"]*)"/).map { String($0.1) }
  }

  /// Returns the tab that a page marks.
  static func marked(_ page: String) -> String? {
    page.matches(of: /href="([^"]*)" aria-current="(?:page|true)"><svg class="icon"/).first
      .map { String($0.1) }
  }

  @Test func `a patient has five tabs, and each page marks its own`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount("Ann"))
      #expect(
        try await Self.tabs(browser.open("/").text)
          == ["/", "/medicines", "/progress", "/people", "/me"])
      for (tab, pages) in [
        "/": ["/", "/entry", "/as-needed", "/missed"],
        "/medicines": [
          "/medicines", "/medicines/new", "/stock", "/interactions", "/import", "/knowledge",
          "/knowledge/topics/fever", "/medicines/simplify",
        ],
        "/progress": [
          "/progress", "/history", "/report", "/report/charts", "/heart-rate",
          "/heart-rate/monitoring",
        ],
        "/people": [
          "/people", "/chat", "/caregiver-messages", "/doctors", "/children", "/emergency-card",
          "/people/new", "/people/family", "/people/sharing", "/join",
        ],
        "/me": [
          "/me", "/me/account", "/me/health-profile", "/me/contacts", "/me/routine",
          "/me/reminders", "/me/connections", "/me/appearance", "/device", "/reminders",
          "/reminders/quiet", "/reminders/mornings", "/reminders/family", "/alarms",
          "/alarms/sounds", "/privacy",
          "/account/security", "/me/apps", "/me/programs", "/calendar", "/hospitals",
          "/heart-rate/phone", "/travel", "/help",
          "/about", "/feedback", "/search",
        ],
      ] {
        for address in pages {
          let page = try await browser.open(address)
          #expect(page.status == .ok, "\(address)")
          #expect(Self.marked(page.text) == tab, "\(address)")
        }
      }
    }
  }

  @Test func `a read-only relative has three tabs and views of the person's pages`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      _ = try await house.dose(of: house.child, medicine: "Childolol")
      let bob = try await harness.makeAccount("Bob")
      let looking = try await house.connect(bob, .family, categories: [.medicines, .adherence])
      for address in ["/", "/medicines", "/progress"] {
        let page = try await looking.open(address)
        #expect(page.status == .ok, "\(address)")
        #expect(try Self.tabs(page.text) == ["/", "/people", "/me"], "\(address)")
        #expect(Self.marked(page.text) == "/", "\(address)")
        for view in ["/", "/medicines", "/progress"] {
          #expect(page.text.contains("<li><a href=\"\(view)\""), "\(address) \(view)")
        }
      }
      // Pages that need the right to act are not offered; the account's own are.
      let me = try await looking.open("/me").text
      for address in ["/me/reminders", "/me/account", "/me/appearance", "/help"] {
        #expect(me.contains("href=\"\(address)\""), "\(address)")
      }
      for address in ["/me/health-profile", "/me/routine", "/privacy", "/me/connections"] {
        #expect(!me.contains("href=\"\(address)\""), "\(address)")
      }
      let account = try await looking.open("/me/account")
      #expect(account.status == .ok && account.text.contains("href=\"/account/security\""))
      #expect(!account.text.contains("name=\"given-name\""))
      for address in ["/me/health-profile", "/me/routine", "/me/contacts"] {
        #expect(try await looking.open(address).headers[.location] == "/people", "\(address)")
      }
      // On the account's own pages there are all of them.
      var own = looking
      own.person = bob.patient
      #expect(try await Self.tabs(own.open("/").text).count == 5)
    }
  }

  @Test func `only shared pages are views`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let bob = try await harness.makeAccount("Bob")
      let looking = try await house.connect(bob, .family, categories: [.adherence])
      let page = try await looking.open("/").text
      #expect(page.contains("<li><a href=\"/progress\""))
      #expect(!page.contains("<li><a href=\"/medicines\""))
      let progress = try await looking.open("/progress").text
      #expect(!progress.contains("href=\"/history\"") && !progress.contains("/heart-rate"))
      #expect(!progress.contains("/report.pdf"))
    }
  }

  @Test func `a practitioner has patients, inbox and lookup, with own health in Me`() async throws {
    try await ServerHarness.run { harness in
      let ward = try await ChatWard.make(harness)
      let dora = try await harness.session(of: ward.dora)
      for address in ["/care", "/chat", "/knowledge", "/me"] {
        let page = try await dora.open(address)
        #expect(page.status == .ok, "\(address)")
        #expect(try Self.tabs(page.text) == ["/care", "/chat", "/knowledge", "/me"], "\(address)")
        #expect(Self.marked(page.text) == address)
      }
      #expect(Self.marked(try await dora.open("/caregiver-messages").text) == "/chat")
      #expect(Self.marked(try await dora.open("/care/\(ward.ann.patient)").text) == "/care")
      #expect(try await dora.open("/me").text.contains("href=\"/me/my-health\""))
      let health = try await dora.open("/me/my-health").text
      for address in ["/", "/medicines", "/progress", "/people"] {
        #expect(health.contains("href=\"\(address)\""), "\(address)")
        #expect(Self.marked(try await dora.open(address).text) == "/me", "\(address)")
      }
      // On a device that shows a patient, the link back to the account's own pages comes first.
      let atAnn = try await ward.browser(ward.dora)
      let other = try await atAnn.open("/me/my-health").text
      #expect(other.contains("action=\"/person\"") && !other.contains("href=\"/progress\""))
      let back = try await atAnn.post(
        "/person", ["person": ward.dora.patient.text, "return": "/me/my-health"])
      #expect(back.headers[.location] == "/me/my-health")
    }
  }

  @Test func `a practitioner without patients has the same tabs and a next step`() async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness, sharing: nil)
      for address in ["/care", "/chat", "/knowledge", "/me"] {
        let page = try await practice.browser.open(address)
        #expect(page.status == .ok, "\(address)")
        #expect(try Self.tabs(page.text) == ["/care", "/chat", "/knowledge", "/me"], "\(address)")
        #expect(Self.marked(page.text) == address)
      }
      let empty = try await practice.browser.open("/care").text
      #expect(empty.contains("No patients yet.") && empty.contains("Show my code"))
      #expect(empty.contains("href=\"/care/profile\"") && empty.contains("href=\"/emergency\""))
      #expect(!empty.contains("<table") && !empty.contains("name=\"sort\""))
      #expect(try await practice.browser.open("/me").text.contains("href=\"/me/my-health\""))
      #expect(Self.marked(try await practice.browser.open("/medicines").text) == "/me")
      // The app opens with the patients; without confirmation, the account has a patient's places.
      var headers = practice.browser.headers
      headers[.secFetchSite] = "none"
      #expect(try await harness.send(.get, "/", headers).headers[.location] == "/care")
      let other = try await harness.session(of: harness.makeAccount("Other"))
      #expect(try await Self.tabs(other.open("/").text).first == "/")
      let unconfirmed = try await other.open("/care").text
      #expect(unconfirmed.contains("No patients yet.") && unconfirmed.contains("href=\"/join\""))
      #expect(!unconfirmed.contains("/care/profile"))
    }
  }

  @Test func `the tab shows the number of new messages`() async throws {
    try await ServerHarness.run { harness in
      let ward = try await ChatWard.make(harness)
      #expect(try await ward.send("For the doctor", by: ward.ann).status == .created)
      let doctor = try await harness.session(of: ward.dora).open("/care").text
      #expect(doctor.contains(/href="\/chat"[^\n]*?<\/span><span class="navigation-news">/))
      #expect(try await ward.send("For Ann", by: ward.dora).status == .created)
      let patient = try await harness.session(of: ward.ann).open("/").text
      #expect(patient.contains(/href="\/people"[^\n]*?<\/span><span class="navigation-news">/))
    }
  }

  @Test func `the old address of all details leads to Me`() async throws {
    try await ServerHarness.run { harness in
      let moved = try await harness.send(.get, "/details?done=saved")
      #expect(moved.status == .movedPermanently)
      #expect(moved.headers[.location] == "/me?done=saved")
    }
  }

  @Test func `every page of Me is one step from its list`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount("Ann"))
      var seen: Set<String> = ["/me"]
      for _ in 1...2 {
        for address in seen {
          let page = try await browser.open(address)
          #expect(page.status == .ok, "\(address)")
          let main = try #require(page.text.firstMatch(of: /<main.*<\/main>/.dotMatchesNewlines()))
          seen.formUnion(
            main.output.matches(of: /<li><a href="([^"#?]*)/).map { String($0.1) })
        }
      }
      // Three taps: the tab, its list, and a page of the list.
      for address in [
        "/device", "/reminders", "/reminders/quiet", "/reminders/mornings", "/reminders/family",
        "/alarms",
        "/alarms/sounds", "/ring", "/simple", "/status", "/travel", "/account/security",
        "/me/contacts", "/interactions", "/emergency-card", "/heart-rate/phone",
        "/heart-rate/import", "/hospitals", "/calendar", "/me/apps", "/me/programs", "/about",
        "/feedback",
      ] {
        #expect(seen.contains(address), "\(address)")
      }
    }
  }
}
