// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Foundation
import HealthData
import HTTPTypes
import HummingbirdTesting
import Identifiers
import NIOCore
import Records
import Storage
import Testing
import TestSupport

@testable import ImportPages
@testable import Observations
@testable import People
@testable import Web

/// Files of measurements on the host and on the page.
@Suite struct HealthFileTests {
  static let table = """
    Date;Resting heart rate;Device
    2026-02-26 07:00;61;Band
    2026-02-27 07:00;6000;Band
    2026-02-28 07:00;59;Band

    """
  static let autoExport = """
    {"data":{"metrics":[{"name":"resting_heart_rate","units":"count/min","data":[
      {"date":"2026-02-27 00:00:00 +0100","qty":58,"source":"Watch"}]}],
     "medications":[
      {"displayText":"Ibuprofen","start":"2026-02-28 08:00:00 +0100","status":"Taken"},
      {"displayText":"Ibuprofen","start":"2026-02-28 09:00:00 +0100","status":"Pris"}]}}
    """

  /// Writes a file for the duration of a test.
  static func within<T>(_ text: String, _ look: (String) async throws -> T) async throws -> T {
    let path = FileManager.default.temporaryDirectory.path + "/file-\(UUID().uuidString)"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    defer { unlink(path) }
    return try await look(path)
  }

  private static func take(
    _ text: String, _ harness: ServerHarness, isTrial: Bool = false,
    columns: [TableMapping.Question: String] = [:]
  ) async throws -> JSONValue {
    try await within(text) { path in
      try await HostImport(environment: harness.environment).performHealth(
        path: path,
        ImportOptions(patient: nil, accept: false, isTrial: isTrial, fileName: "file"),
        columns: columns)
    }
  }

  static func days(_ harness: ServerHarness, _ patient: PatientID) async throws -> [String] {
    try await harness.environment.database.read { reader in
      try VitalQueries.days(
        .restingHeartRate, of: patient, from: "2020-01-01", to: "2030-01-01", in: reader
      ).map { "\($0.day) \($0.thousandths) \($0.source)" }
    }
  }

  @Test func `a table is previewed and imported, and repeating it changes nothing`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let trial = try await Self.take(Self.table, harness, isTrial: true)
      #expect(trial["format"] == "csv" && trial["dryRun"] == true, "\(trial.text)")
      #expect(trial["values"]?["resting-heart-rate"] == 2)
      #expect(trial["examples"]?[0]?["value"] == 61)
      #expect(trial["leftOut"]?[0] == ["place": "line 3", "error": "value"])
      #expect(trial["columns"]?["value"] == "2")
      #expect(try await Self.days(harness, ann.patient) == [])
      #expect(try await Self.take(Self.table, harness)["stored"] == 2)
      #expect(try await Self.take(Self.table, harness)["unchanged"] == 2)
      #expect(
        try await Self.days(harness, ann.patient) == [
          "2026-02-26 61000 Band", "2026-02-28 59000 Band",
        ])
    }
  }

  @Test func `unrecognized columns can be assigned`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let text = "when,what\n2026-02-26,61\n"
      await #expect(throws: Failure.self) { try await Self.take(text, harness) }
      await #expect(throws: Failure.self) {
        try await Self.take(text, harness, columns: [.value: "nowhere"])
      }
      let columns: [TableMapping.Question: String] = [
        .time: "when", .value: "what", .metric: "=resting-heart-rate", .source: "=Notebook",
      ]
      #expect(try await Self.take(text, harness, columns: columns)["stored"] == 1)
      #expect(try await Self.days(harness, ann.patient) == ["2026-02-26 61000 Notebook"])
    }
  }

  @Test func `an app's file imports its values and medicines once`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      for round in 0..<2 {
        let done = try await Self.take(Self.autoExport, harness)
        #expect(done["stored"] == (round == 0 ? 1 : 0), "\(done.text)")
        #expect(done["medicines"] == ["stored": 1, "skipped": 1])
      }
      #expect(try await Self.days(harness, ann.patient) == ["2026-02-27 58000 Watch"])
      let token = try await harness.token(of: ann)
      let found = try await harness.send(.get, "/fhir/MedicationAdministration", token)
      #expect(try found.json()["total"] == 1)
    }
  }

  @Test func `a patient created for a file isn't named after it`() async throws {
    try await ServerHarness.run { harness in
      await #expect(throws: Failure.self) { try await Self.take("when,what\n1,2\n", harness) }
      let all = {
        try await harness.environment.database.read { try PeopleQueries.first(2, in: $0) }
      }
      #expect(try await all().isEmpty, "nobody is made for a file that cannot be read")
      let done = try await Self.take(Self.table, harness)
      #expect(try await all() == [done["patient"]?.string.map(PatientID.init)])
      let name = try await harness.environment.database.read {
        try $0.first("SELECT display_name FROM people")?.text(0)
      }
      #expect(name == "Unnamed")
    }
  }

  @Test(arguments: [
    (table, true), (autoExport, true), (#"{"resourceType":"Bundle"}"#, false), ("nonsense", false),
    (#"{"entry":[],"resourceType":"Bundle"}"#, false), ("<HealthData/>", true), ("", false),
  ])
  func `measurements and prescriptions are distinguished by content`(
    _ text: String, _ isHealth: Bool
  ) async throws {
    try await Self.within(text) { #expect(HealthFileChoice.isHealth(path: $0) == isHealth) }
  }

  // MARK: The page

  static func upload(_ browser: Browser, _ content: String) async throws -> String {
    let answer = try await send(browser, content)
    #expect(answer.status == .seeOther, "\(answer.text)")
    return try #require(answer.headers[.location])
  }

  private static func send(_ browser: Browser, _ content: String) async throws -> TestResponse {
    let body =
      "--B\r\nContent-Disposition: form-data; name=\"form-token\"\r\n\r\n\(browser.formToken)\r\n"
      + "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"my values.csv\"\r\n\r\n"
      + content + "\r\n--B--\r\n"
    var headers = browser.headers
    headers[.contentType] = "multipart/form-data; boundary=B"
    return try await browser.harness.client.executeRequest(
      uri: "/heart-rate/import", method: .post, headers: headers, body: ByteBuffer(string: body))
  }

  static func finish(_ address: String, _ account: Account, _ harness: ServerHarness) async throws {
    let id = try #require(address.split(separator: "/").last.map(String.init))
    let job = try #require(harness.environment.healthImports.job(id, of: account.id))
    while job.state.isRunning { try await Task.sleep(for: .milliseconds(5)) }
    #expect(job.state.failure == nil)
    #expect(!FileManager.default.fileExists(atPath: job.file.path))
  }

  @Test func `the page previews a table before importing it`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let browser = try await harness.session(of: ann)
      let address = try await Self.upload(browser, Self.table)
      let page = try await browser.open(address).text
      #expect(page.contains("my values.csv") && page.contains("2 values will be saved"))
      #expect(page.contains("Line 3") && page.contains("<td>6000</td>"))
      #expect(try await Self.days(harness, ann.patient) == [])

      let wrong = try await browser.post(
        "\(address)/columns", ["column-time": "1", "column-value": "", "action": "take"])
      #expect(wrong.status == .unprocessableContent)
      #expect(wrong.text.contains("Choose the column with the value."))

      // All rows are assigned to the same device.
      let looked = try await browser.post(
        "\(address)/columns",
        [
          "column-time": "1", "column-value": "2", "column-metric": "=resting-heart-rate",
          "column-source": "", "action": "look",
        ])
      #expect(looked.headers[.location] == address)
      #expect(try await browser.open(address).text.contains("(CSV)"))
      let taken = try await browser.post(
        "\(address)/columns",
        [
          "column-time": "1", "column-value": "2", "column-metric": "=resting-heart-rate",
          "column-source": "3", "action": "take",
        ])
      #expect(taken.status == .seeOther)
      try await Self.finish(address, ann, harness)
      #expect(try await browser.open(address).text.contains("2 new values imported."))
      #expect(try await Self.days(harness, ann.patient).count == 2)
    }
  }

  @Test func `a discarded table is gone, and another's is not found`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let bob = try await harness.makeAccount("Bob")
      let browser = try await harness.session(of: ann)
      let address = try await Self.upload(browser, Self.table)
      let other = try await harness.session(of: bob)
      #expect(try await other.open(address).status == .notFound)
      #expect(try await other.post("\(address)/columns", ["action": "take"]).status == .notFound)
      #expect(try await browser.post("\(address)/stop", [:]).status == .seeOther)
      try await #expect(Self.days(harness, ann.patient) == [])
      let id = try #require(address.split(separator: "/").last.map(String.init))
      let job = try #require(harness.environment.healthImports.job(id, of: ann.id))
      // It stops at its next check.
      while job.state.isRunning { try await Task.sleep(for: .milliseconds(5)) }
      #expect(!FileManager.default.fileExists(atPath: job.file.path))
      #expect(try await browser.open(address).text.contains("Stopped."))
    }
  }

  @Test func `imports take turns, and a waiting one stops at once`() async throws {
    try await ServerHarness.run { harness in
      let (ann, bob) = (
        try await harness.makeAccount("Ann"), try await harness.makeAccount("Bob")
      )
      let jobs = harness.environment.healthImports
      await jobs.turns.enter()
      let browser = try await harness.session(of: ann)
      let stopped = try await Self.upload(browser, Self.autoExport)
      let waiting = try await Self.upload(
        try await harness.session(of: bob), Self.autoExport)
      for (address, account) in [(stopped, ann), (waiting, bob)] {
        let id = try #require(address.split(separator: "/").last.map(String.init))
        let job = try #require(jobs.job(id, of: account.id))
        while !job.state.isQueued { try await Task.sleep(for: .milliseconds(5)) }
      }
      #expect(try await browser.open(stopped).text.contains("Yours starts when it’s done."))
      #expect(try await browser.post("\(stopped)/stop", [:]).status == .seeOther)
      #expect(try await browser.open(stopped).text.contains("Stopped."))
      await jobs.turns.leave()
      try await Self.finish(waiting, bob, harness)
      #expect(try await Self.days(harness, ann.patient) == [])
      #expect(try await Self.days(harness, bob.patient).count == 1)
    }
  }

  @Test func `a second file of one account is refused while the first runs or waits`()
    async throws
  {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let jobs = harness.environment.healthImports
      await jobs.turns.enter()
      let browser = try await harness.session(of: ann)
      let first = try await Self.upload(browser, Self.autoExport)
      let second = try await Self.send(browser, Self.table)
      #expect(second.status == .conflict, "\(second.text)")
      #expect(second.text.contains("Another file is being imported."))
      // The other one is still the only one, and the form leads to it.
      #expect(try await browser.open("/heart-rate/import").headers[.location] == first)
      await jobs.turns.leave()
      try await Self.finish(first, ann, harness)
      #expect(try await Self.days(harness, ann.patient) == ["2026-02-27 58000 Watch"])
      #expect(try await Self.send(browser, Self.table).status == .seeOther)
    }
  }

  @Test func `answers are acknowledged during a long import`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let browser = try await harness.session(of: ann.account)
      var rows = ["time,metric,value,source"]
      for minute in 0..<60_000 {
        let at = 1_760_000_000 + minute * 90
        rows.append("\(at),heart-rate,\(60 + minute % 50),Band \(minute % 3)")
      }
      let plan = try await ann.post("/fhir/MedicationRequest", ann.request())
      #expect(plan.status == .created)
      let address = try await Self.upload(browser, rows.joined(separator: "\n"))
      _ = try await browser.post(
        "\(address)/columns",
        [
          "column-time": "1", "column-metric": "2", "column-value": "3", "column-source": "4",
          "action": "take",
        ])
      let id = try #require(address.split(separator: "/").last.map(String.init))
      let job = try #require(harness.environment.healthImports.job(id, of: ann.account.id))
      var answered = 0
      repeat {
        let answer = try await ann.post(
          "/api/v1/administrations",
          [
            "patient": .string(ann.account.patient), "medicine": "Ibuprofen",
            "at": .string("2026-02-28T\(10 + answered % 10):00:00Z"), "taken": true,
            "confirm": true,
          ])
        #expect(answer.status == .created, "\(answer.text)")
        answered += 1
      } while job.state.isRunning
      try await Self.finish(address, ann.account, harness)
      #expect(job.state.report?.counts.stored == 60_000)
      let found = try await ann.get("/fhir/MedicationAdministration?_count=1").json()
      #expect(found["total"]?.number?.integer == answered)
    }
  }
}
