// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Localization
import SiteMap
import Storage
import Testing
import TestSupport

@testable import HeartRate
@testable import Presentation
@testable import ReportPages
@testable import Web

/// The pages of heart rate monitoring: their content, and changes with a comparison of old and new.
@Suite struct HeartRateMonitoringPageTests {
  @Test func `the dashboard shows the limit, today, the week, and seven days`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await MonitoredPerson.make(harness)
      try await ann.measure(62)
      let page = try await ann.browser.open(Address.heartRateMonitoring).text
      // An average of 60 and a gap that narrows: 12 on the fifteenth day, less each day after.
      #expect(page.contains("72 beats a minute") || page.contains("70 beats a minute"))
      #expect(page.contains("62 beats a minute"))
      #expect(page.contains("over 7 days"))
      #expect(page.contains("heart-value"))
      #expect(page.contains("This is not a medical device"))
      for range in HeartRateSeries.Range.allCases {
        let graph = try await ann.browser.open("\(Address.heartRateGraph)?range=\(range.rawValue)")
        #expect(graph.status == .ok)
        #expect(graph.text.contains("<table"))
      }
    }
  }

  @Test func `without data the pages say how to start`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await MonitoredPerson.make(harness, days: 0, isOn: false)
      let page = try await ann.browser.open(Address.heartRateMonitoring).text
      #expect(page.contains("Heart rate check is off"))
      let start = try await ann.browser.open(HeartRateMonitoringRoutes.startPath).text
      #expect(start.contains("with your doctor or nurse"))
      #expect(start.contains("This is not a medical device"))
      #expect(try await ann.browser.open(WarningRoutes.path).text.contains("No questions"))
      #expect(
        try await ann.browser.open(HeartRateMonitoringRoutes.wearingPath).text.contains("locked"))
    }
  }

  @Test func `settings show old and new values before saving`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await MonitoredPerson.make(harness)
      let fields: [(String, String)] = [
        ("on", "yes"), ("method", "boundary"), ("from", "15"), ("until", "16"),
        ("watched", "automatic"),
      ]
      let asked = try await ann.browser.post(HeartRateSettingsRoutes.path, pairs: fields)
      #expect(asked.status == .ok)
      #expect(asked.text.contains("Limit that follows your average"))
      #expect(asked.text.contains("<strong>Fixed limit</strong>"))
      func settings() async throws -> HeartRateSettings {
        let patient = ann.person.account.patient
        return try await harness.environment.database.read {
          try HeartRateQueries.settings(of: patient, in: $0)
        }
      }
      #expect(try await settings().method == .dynamic)
      let kept = try await ann.browser.post(
        HeartRateSettingsRoutes.path, pairs: fields + [("confirmed", "yes")])
      #expect(kept.status == .seeOther, "\(kept.text)")
      let now = try await settings()
      #expect(now.method == .boundary)
      #expect(now.window == 15..<16)
      #expect(now.hasWear == false)
      for wrong in [("from", "20"), ("until", "99"), ("method", "x"), ("on", "")] {
        let typed = fields.map { $0.0 == wrong.0 ? wrong : $0 } + [("confirmed", "yes")]
        let answer = try await ann.browser.post(HeartRateSettingsRoutes.path, pairs: typed)
        #expect(answer.status == .unprocessableContent, "\(wrong)")
      }
      let foreign =
        fields.dropLast() + [("watched", "chosen"), ("plan", "nobody"), ("confirmed", "y")]
      #expect(
        try await ann.browser.post(HeartRateSettingsRoutes.path, pairs: Array(foreign)).status
          == .unprocessableContent)
    }
  }

  @Test func `a personal limit is set next to the old one`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await MonitoredPerson.make(harness)
      let fields = [("way", "number"), ("value", "75"), ("gap", "8")]
      let asked = try await ann.browser.post(LimitRoutes.path, pairs: fields)
      #expect(asked.status == .ok)
      #expect(asked.text.contains("<strong>75 beats a minute</strong>"))
      let kept = try await ann.browser.post(
        LimitRoutes.path, pairs: fields + [("confirmed", "yes")])
      #expect(kept.status == .seeOther)
      let json = try await ann.person.get("/api/v1/heart").json()
      #expect(json["boundary"]?.number?.integer == 75)
      for wrong in [
        [("way", "number"), ("value", "300"), ("gap", "8")], [("way", "found"), ("gap", "99")],
        [("way", "on-medicine"), ("gap", "5")], [("way", "release")], [("way", "nonsense")],
      ] {
        let answer = try await ann.browser.post(
          LimitRoutes.path, pairs: wrong + [("confirmed", "yes")])
        #expect(answer.status == .unprocessableContent, "\(wrong)")
      }
    }
  }

  @Test func `a provider's limit is calculated from the days and locked`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await MonitoredPerson.make(harness)
      let doctor = try await harness.makeAccount("Doctor")
      let (accounts, now) = (harness.environment.accounts, harness.clock.now)
      let patient = ann.person.account.patient
      func grant(until: Timestamp?) async throws {
        try await harness.environment.database.write { writer in
          try accounts.grant(
            .practitioner, of: patient, to: doctor.id, from: now.adding(milliseconds: -1_000),
            categories: [.heartRate], until: until, in: writer)
        }
        harness.environment.sessions.forget()
      }
      try await grant(until: nil)
      var browser = try await harness.session(of: doctor)
      browser.person = patient
      let fields = [("way", "on-medicine"), ("value", ""), ("gap", "5")]
      let page = try await browser.open(LimitRoutes.path)
      #expect(page.text.contains("From an average of 7 to 14 days on the medicine"))
      let asked = try await browser.post(LimitRoutes.path, pairs: fields)
      #expect(asked.text.contains("<strong>65 beats a minute</strong>"), "\(asked.text)")
      let kept = try await browser.post(LimitRoutes.path, pairs: fields + [("confirmed", "yes")])
      #expect(kept.status == .seeOther, "\(kept.text)")
      #expect(
        try await browser.post(
          LimitRoutes.path, pairs: [("way", "on-medicine"), ("gap", "12"), ("confirmed", "yes")]
        ).status == .unprocessableContent)
      // The person sees who set it and can change neither it nor its method.
      let own = try await ann.browser.open(LimitRoutes.path).text
      #expect(own.contains("set by Doctor"))
      #expect(!own.contains("name=\"way\""))
      let tried = try await ann.browser.post(
        LimitRoutes.path,
        pairs: [("way", "number"), ("value", "90"), ("gap", "7"), ("confirmed", "y")])
      #expect(tried.status == .unprocessableContent)
      let method = try await ann.browser.post(
        HeartRateSettingsRoutes.path,
        pairs: [
          ("on", "yes"), ("method", "model"), ("from", "14"), ("until", "20"),
          ("watched", "automatic"), ("confirmed", "yes"),
        ])
      #expect(method.status == .unprocessableContent)
      #expect(try await ann.person.get("/api/v1/heart").json()["boundary"]?.number?.integer == 65)
      // The provider reads the log and can change nothing else.
      #expect(try await browser.open(WarningRoutes.path).status == .ok)
      #expect(try await browser.open(HeartRateSettingsRoutes.path).status == .forbidden)
      #expect(
        try await browser.post(HeartRateMonitoringRoutes.startPath, pairs: []).status == .forbidden)
      // No one is left who could change it, so the person may.
      try await grant(until: now)
      let free = try await ann.browser.post(
        LimitRoutes.path,
        pairs: [("way", "number"), ("value", "90"), ("gap", "7"), ("confirmed", "yes")])
      #expect(free.status == .seeOther, "\(free.text)")
    }
  }

  @Test func `family can view a shared heart rate but not change it`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await MonitoredPerson.make(harness)
      _ = try await ann.person.plan("Metoprolol 50 mg")
      let bob = try await harness.makeAccount("Bob")
      let (accounts, now) = (harness.environment.accounts, harness.clock.now)
      let patient = ann.person.account.patient
      try await harness.environment.database.write { writer in
        try accounts.grant(
          .family, of: patient, to: bob.id, from: now.adding(milliseconds: -1_000),
          categories: [.heartRate], until: nil, in: writer)
      }
      var browser = try await harness.session(of: bob)
      browser.person = patient
      let page = try await browser.open(Address.heartRateMonitoring)
      #expect(page.status == .ok)
      #expect(!page.text.contains("Metoprolol"))
      #expect(!page.text.contains(LimitRoutes.path))
      #expect(try await browser.open(LimitRoutes.path).status == .forbidden)
      #expect(
        try await browser.post(LimitRoutes.path, ["way": "number", "value": "90", "gap": "7"])
          .status == .forbidden)
    }
  }

  @Test func `a widget address shows statistics until it is ended`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await MonitoredPerson.make(harness)
      try await ann.measure(61)
      let made = try await ann.browser.post(GlanceRoutes.makePath, [:])
      let path = try #require(made.text.firstMatch(of: /(\/glance\/rgg_[A-Za-z0-9_-]+)</)?.1)
      let json = try await harness.send(.get, String(path)).json()
      #expect(json["current"]?.number?.integer == 61)
      #expect(json["days"]?.array?.count == 7)
      let picture = try await harness.send(.get, "\(path)/picture.svg")
      #expect(picture.headers[.contentType] == "image/svg+xml")
      #expect(picture.text.contains(">61<"))
      #expect(try await harness.send(.get, "/glance/rgg_nonsense").status == .notFound)
      let settings = try await ann.browser.open(HeartRateSettingsRoutes.path).text
      let remove = try #require(
        settings.firstMatch(of: /action="(\/heart-rate\/monitoring\/glance\/[^"]+\/remove)"/)?.1)
      #expect(try await ann.browser.post(String(remove), [:]).status == .seeOther)
      #expect(try await harness.send(.get, String(path)).status == .notFound)
    }
  }

  @Test func `custom messages take turns and can be removed`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await MonitoredPerson.make(harness)
      _ = try await ann.browser.post(
        HeartRateMonitoringRoutes.wordsPath, ["words": "Breathe <slowly>"])
      let page = try await ann.browser.open(Address.heartRateMonitoring).text
      #expect(page.contains("Breathe &lt;slowly&gt;"))
      let remove = try #require(
        page.firstMatch(of: /action="(\/heart-rate\/monitoring\/words\/[^"]+\/remove)"/)?.1)
      _ = try await ann.browser.post(String(remove), [:])
      #expect(try await !ann.browser.open(Address.heartRateMonitoring).text.contains("Breathe"))
      let refused = try await ann.browser.post(
        HeartRateMonitoringRoutes.wordsPath, pairs: [("words", String(repeating: "x", count: 201))])
      #expect(refused.headers[.location]?.contains("words-refused") == true)
    }
  }

  @Test func `weekly questions are stored as FHIR, missing ones asked again`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await MonitoredPerson.make(harness)
      let all = SymptomQuestion.allCases.map { ($0.rawValue, "2") }
      let missing = try await ann.browser.post(SymptomRoutes.path, pairs: Array(all.dropLast()))
      #expect(missing.status == .unprocessableContent)
      for _ in 0..<2 {
        let kept = try await ann.browser.post(SymptomRoutes.path, pairs: all)
        #expect(kept.status == .seeOther, "\(kept.text)")
      }
      let bundle = try await ann.browser.open("\(SymptomRoutes.path).json").json()
      let types = bundle["entry"]?.array?.map { $0["resource"]?["resourceType"]?.string }
      #expect(types == ["Questionnaire", "QuestionnaireResponse"])
      let item = bundle["entry"]?[1]?["resource"]?["item"]?[0]
      #expect(item?["answer"]?[0]?["valueInteger"]?.number?.integer == 2)
      #expect(try await ann.browser.open(SymptomRoutes.path).text.contains("Quite a lot"))
      let wrong = try await ann.browser.post(
        SymptomRoutes.path, pairs: all.dropLast() + [("sleep", "9")])
      #expect(wrong.status == .unprocessableContent)
    }
  }

  @Test func `news is shown once after an update`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await MonitoredPerson.make(harness)
      try await harness.environment.database.write { writer in
        try writer.execute("UPDATE heart_rate_monitoring SET news = 0", [])
      }
      #expect(
        try await ann.browser.open(Address.heartRateMonitoring).text.contains(
          HeartRateMonitoringRoutes.newsPath))
      #expect(
        try await ann.browser.post(HeartRateMonitoringRoutes.newsPath, [:]).status == .seeOther)
      #expect(
        try await !ann.browser.open(Address.heartRateMonitoring).text.contains(
          HeartRateMonitoringRoutes.newsPath)
      )
    }
  }

  @Test(arguments: Language.allCases)
  func `every page is available in every language`(language: Language) async throws {
    try await ServerHarness.run { harness in
      let ann = try await MonitoredPerson.make(harness)
      let warning = try await ann.warning()
      for path in [
        Address.heartRateMonitoring, Address.heartRateGraph, HeartRateMonitoringRoutes.startPath,
        HeartRateMonitoringRoutes.newsPath,
        HeartRateMonitoringRoutes.wearingPath, HeartRateSettingsRoutes.path, LimitRoutes.path,
        WarningRoutes.path,
        WarningRoutes.address(of: warning.id.text), SymptomRoutes.path,
      ] {
        var headers = ann.browser.headers
        headers[.acceptLanguage] = language.rawValue
        let page = try await harness.send(.get, path, headers)
        #expect(page.status == .ok, "\(path)")
        #expect(page.text.contains("lang=\"\(language.rawValue)\""))
        #expect(!page.text.contains("heart-rate-monitoring."), "\(path)")
      }
    }
  }
}
