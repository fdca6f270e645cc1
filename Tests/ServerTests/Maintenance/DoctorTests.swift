// SPDX-License-Identifier: Apache-2.0

import Adherence
import FHIR
import Storage
import Testing

@testable import Operations
@testable import Web

@Suite struct DoctorTests {
  private static let now = Timestamp(milliseconds: 1_772_348_400_000)
  private static let yesterday = now.adding(milliseconds: -24 * 3_600_000)

  @Test(arguments: [
    (Int64(10) << 20, Doctor.Finding.Grade.fail), (500 << 20, .warn), (2 << 30, .ok),
  ])
  func `disk space`(bytes: Int64, grade: Doctor.Finding.Grade) {
    #expect(Doctor.disk(freeBytes: bytes).grade == grade)
  }

  @Test func `an implausible clock`() {
    #expect(Doctor.clock(Self.now, isTrusted: true).grade == .ok)
    #expect(Doctor.clock(Self.now, isTrusted: false).grade == .fail)
    #expect(Doctor.clock(Timestamp(milliseconds: 0), isTrusted: true).grade == .fail)
  }

  @Test func `missing backups`() {
    func grade(_ health: BackupHealth) -> Doctor.Finding.Grade {
      Doctor.backup(health, schedule: nil, now: Self.now).grade
    }
    #expect(grade(.fine(last: Self.yesterday)) == .ok)
    #expect(grade(.unscheduled(last: Self.yesterday)) == .ok)
    #expect(grade(.unscheduled(last: nil)) == .warn)
    #expect(grade(.awaited) == .warn)
    #expect(grade(.old(last: nil)) == .fail)
    #expect(grade(.lost(last: Self.yesterday)) == .fail)
    #expect(grade(.failed(at: Self.yesterday, trouble: "disk-full")) == .fail)
  }

  @Test func `maintenance on an empty server`() async throws {
    try await ServerHarness.run { harness in
      let maintenance = Maintenance(environment: harness.environment)
      let doctor = try await maintenance.perform(.doctor)
      #expect(doctor.isWell)
      #expect(doctor.lines.contains { $0.contains("backup: there is none") })
      let verify = try await maintenance.perform(.verify(anchors: nil))
      #expect(verify.isWell)
      // PostgreSQL without amcheck adds a line that says so.
      let checked = verify.lines.count { $0.hasPrefix("ok ") }
      #expect(checked == 5 + ProjectionFault.Kind.allCases.count)
      let rebuild = try await maintenance.perform(.rebuild)
      #expect(rebuild.lines == ["Everything was already right."])
    }
  }

  @Test func `commands cross the socket unchanged`() throws {
    let commands: [MaintenanceCommand] = [
      .backup(to: "/a", secret: .passphrase("words")),
      .backup(to: "/a", secret: .key([UInt8](repeating: 1, count: 32))), .verify(anchors: nil),
      .verify(anchors: "/b"), .rebuild, .doctor,
    ]
    for command in commands {
      let again = try #require(MaintenanceCommand(json: command.json))
      #expect(again.json == command.json)
    }
    #expect(MaintenanceCommand(json: ["command": "backup", "to": "a", "passphrase": "w"]) == nil)
    #expect(MaintenanceCommand(json: ["command": "erase"]) == nil)
    let report = MaintenanceReport(lines: ["a", "b"], isWell: false)
    #expect(MaintenanceReport(json: report.json) == report)
  }
}
