// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTML
import Localization
import Scheduling
import Storage
import Testing

@testable import Operations
@testable import Presentation

@Suite struct BackupHealthTests {
  private static let hour: Int64 = 3_600_000
  private static let start = Timestamp(milliseconds: 1_772_348_400_000)

  private static func run(
    _ hours: Int64, trouble: String? = nil, bytes: Int64 = 100, rows: Int64 = 10
  ) -> BackupRun {
    let at = start.adding(milliseconds: hours * hour)
    return BackupRun(
      id: "b\(hours)", kind: .schedule, started: at, finished: at, trouble: trouble,
      place: "/backup/b\(hours)", bytes: bytes, rows: rows)
  }

  private static func judge(
    _ last: BackupRun?, good: BackupRun?, at hours: Int64, every: Int64? = 24,
    fileIsThere: Bool = true
  ) -> BackupHealth {
    BackupHealth.judge(
      last: last, lastGood: good, every: every.map { $0 * hour }, since: start,
      fileIsThere: fileIsThere, now: start.adding(milliseconds: hours * hour))
  }

  @Test func `without a schedule no problem is reported`() {
    let run = Self.run(1)
    #expect(Self.judge(nil, good: nil, at: 900, every: nil) == .unscheduled(last: nil))
    #expect(Self.judge(run, good: run, at: 900, every: nil) == .unscheduled(last: run.finished))
  }

  @Test func `a due backup has an hour, or one interval, to be made`() {
    let run = Self.run(1)
    #expect(Self.judge(run, good: run, at: 26) == .fine(last: run.finished))
    #expect(Self.judge(run, good: run, at: 27) == .old(last: run.finished))
    let minute: Int64 = 60_000
    func judge(after minutes: Int64) -> BackupHealth {
      BackupHealth.judge(
        last: run, lastGood: run, every: minute, since: Self.start, fileIsThere: true,
        now: run.finished.adding(milliseconds: minutes * minute))
    }
    #expect(judge(after: 2) == .fine(last: run.finished))
    #expect(judge(after: 3) == .old(last: run.finished))
  }

  @Test func `a server that was off has time to catch up, but only once`() {
    func judge(good hours: Int64) -> BackupHealth {
      let run = Self.run(hours)
      return Self.judge(run, good: run, at: 0)
    }
    #expect(judge(good: -30) == .fine(last: Self.run(-30).finished))
    #expect(judge(good: -49) == .old(last: Self.run(-49).finished))
  }

  @Test func `there is some time to make the first backup`() {
    #expect(Self.judge(nil, good: nil, at: 1) == .awaited)
    #expect(Self.judge(nil, good: nil, at: 2) == .old(last: nil))
  }

  @Test func `a failure is reported at once, whatever came before`() {
    let failed = Self.run(2, trouble: "disk-full")
    let health = Self.judge(failed, good: Self.run(1), at: 2)
    #expect(health == .failed(at: failed.finished, trouble: "disk-full"))
    #expect(health.needsCare)
  }

  @Test func `empty and missing backups don't count`() {
    for empty in [Self.run(1, bytes: 0), Self.run(1, rows: 0)] {
      #expect(
        Self.judge(empty, good: empty, at: 2) == .failed(at: empty.finished, trouble: "empty"))
    }
    let run = Self.run(1)
    #expect(Self.judge(run, good: run, at: 2, fileIsThere: false) == .lost(last: run.finished))
  }

  @Test func `the next backup is due on time, sooner after a failure`() {
    func isDue(_ last: BackupRun?, after minutes: Int64) -> Bool {
      BackupService.isDue(
        last, every: 24 * Self.hour,
        now: Self.run(1).started.adding(milliseconds: minutes * 60_000))
    }
    #expect(isDue(nil, after: 0))
    #expect(!isDue(Self.run(1), after: 24 * 60 - 1))
    #expect(isDue(Self.run(1), after: 24 * 60))
    #expect(!isDue(Self.run(1, trouble: "file"), after: 14))
    #expect(isDue(Self.run(1, trouble: "file"), after: 15))
    // The clock was ahead when it was made.
    #expect(isDue(Self.run(100), after: 0))
  }

  @Test func `every language has texts for every backup state`() {
    let at = Self.start
    let all: [BackupHealth] =
      [
        .unscheduled(last: nil), .unscheduled(last: at), .fine(last: at), .awaited,
        .lost(last: at), .old(last: at), .old(last: nil),
      ]
      + ["disk-full", "file", "unreadable", "database", "empty", "stopped", "other"].map {
        .failed(at: at, trouble: $0)
      }
    for language in Language.allCases {
      let words = DoseFormatter(localizer: Localizer.of(language), zone: .utc, now: at)
      let texts = Set(all.map { BackupText(health: $0, words: words).text })
      #expect(texts.count == all.count, "\(language)")
      for health in all {
        let banner = BackupBanner(health: health, localizer: words.localizer).markup.bytes
        #expect(banner.isEmpty != health.needsCare)
      }
    }
  }
}
