// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import TestSupport
import Testing

@testable import AccountPages
@testable import Operations
@testable import Presentation
@testable import Reminders
@testable import Server
@testable import Web

@Suite struct FeatureValueTests {
  @Test func `a value is found under its type`() throws {
    var features = FeatureValues()
    #expect(features[ifSet: Retention.self] == nil)
    var retention = Retention()
    retention.chatDays = 90
    features[ifSet: Retention.self] = retention
    #expect(features[ifSet: Retention.self]?.chatDays == 90)
    features[ifSet: Retention.self] = nil
    #expect(features[ifSet: Retention.self] == nil)
  }

  @Test func `an unset value reads as its default`() {
    var features = FeatureValues()
    #expect(features[BackupMonitor.self] === BackupMonitor.absent)
    let monitor = BackupMonitor()
    features[BackupMonitor.self] = monitor
    #expect(features[BackupMonitor.self] === monitor)
    features[ifSet: BackupMonitor.self] = nil
    #expect(features[BackupMonitor.self] === BackupMonitor.absent)
  }

  @Test func `every value can be read when none was set`() async throws {
    try await ServerHarness.run { harness in
      let environment = harness.environment.with(features: FeatureValues())
      #expect(!environment.channels.mailIsPossible)
      #expect(!environment.channels.textsArePossible)
      #expect(environment.providers.all.isEmpty)
      #expect(environment.interactions.problem == nil)
      #expect(environment.logLosses.total == 0)
      #expect(environment.faults.missingZones.isEmpty)
      let context = environment.reminderContext(at: harness.clock.now)
      let plans = try await environment.database.read { reader in
        try context.sources.plansForReview(["patient"], reader)
      }
      #expect(plans.isEmpty)
      // Every type that the server requires has such a value, and none is set.
      let error = #expect(throws: MissingFeatureValues.self) {
        _ = try RegimenServer(environment: environment)
      }
      #expect(error?.types.count == RegimenServer.featureTypes.count)
    }
  }

  @Test func `the server does not start without a value and names its type`() async throws {
    try await ServerHarness.run { harness in
      for missing in [nil, "BackupMonitor", "AccountSecurityMail"] {
        var features = harness.environment.features
        if missing == "BackupMonitor" { features[ifSet: BackupMonitor.self] = nil }
        if missing == "AccountSecurityMail" { features[ifSet: AccountSecurityMail.self] = nil }
        let environment = harness.environment.with(features: features)
        var thrown: MissingFeatureValues?
        do throws(MissingFeatureValues) {
          _ = try RegimenServer(environment: environment)
        } catch {
          thrown = error
        }
        #expect(thrown?.types == missing.map { [$0] })
        if let missing { #expect(thrown?.description.contains("type \(missing).") == true) }
      }
    }
  }

  @Test func `all missing values are named at once`() throws {
    let error = #expect(throws: MissingFeatureValues.self) {
      try FeatureValues().check(RegimenServer.featureTypes)
    }
    #expect(error?.types == RegimenServer.featureTypes.map { "\($0)" })
  }

  /// A value that is read but not checked at the start would end the program at a request.
  @Test func `every value that a feature reads is checked at the start`() throws {
    let sources = URL(filePath: #filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "../../../Sources").standardized
    let files = try #require(FileManager.default.enumerator(atPath: sources.path()))
    var read: Set<String> = []
    for case let file as String in files where file.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      read.formUnion(text.matches(of: /\bfeatures\[(\w+)\.self\]/).map { String($0.1) })
    }
    #expect(read == Set(RegimenServer.featureTypes.map { "\($0)" }))
  }
}
