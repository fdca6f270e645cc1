// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Channels

/// A shell script that replaces sendmail, in its own folder.
private struct StandIn {
  let folder: URL
  var path: String { folder.appendingPathComponent("sendmail").path }

  /// Runs the body with a script; `$here` is the folder.
  static func with<Result>(
    script: String, _ body: (StandIn) async throws -> Result
  ) async throws -> Result {
    let folder = try FileManager.default.url(
      for: .itemReplacementDirectory, in: .userDomainMask,
      appropriateFor: FileManager.default.temporaryDirectory, create: true)
    let standIn = StandIn(folder: folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    // Written by a program, because a file that this process has open for writing, even in a child just
    // starting for another test, cannot be run (ETXTBSY).
    let writer = try ChildProgram(
      arguments: ["/bin/sh", "-c", #"cat > "$0" && chmod 700 "$0""#, standIn.path],
      input: Array("#!/bin/sh\nhere='\(folder.path)'\n\(script)\n".utf8),
      environment: ["PATH=/usr/bin:/bin"])
    try #require(writer.wait() == .exited(0))
    return try await body(standIn)
  }

  func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }

  func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
  }
}

struct SendmailProgramTests {
  private func program(_ path: String, timeLimit: Int = 60) throws -> SendmailProgram {
    SendmailProgram(
      path: path, sender: try #require(MailAddress("Regimen <regimen@example.org>")),
      timeLimit: timeLimit)
  }

  private func message(
    to: String = "ann@example.org", text: String = "Hello\n.\nFrom me\n"
  ) throws -> MailMessage {
    MailMessage(
      from: try #require(MailAddress("Regimen <regimen@example.org>")),
      to: try #require(MailAddress(to)), subject: "Time for your 08:00", text: text,
      html: "<p>Hello</p>", messageID: "1@example.org", dateSeconds: 0)
  }

  private func run(
    _ path: String, timeLimit: Int = 60, to: String = "ann@example.org"
  ) async throws -> MailOutcome {
    try await program(path, timeLimit: timeLimit).send(try message(to: to))
  }

  @Test func getsItsArgumentsAndTheMessage() async throws {
    let script = #"printf '%s\n' "$#" "$@" > "$here/arguments"; cat > "$here/message""#
    try await StandIn.with(script: script) { standIn async throws in
      let message = try message()
      #expect(try await program(standIn.path).send(message) == .accepted)
      #expect(
        try standIn.text("arguments")
          == "5\n-i\n-f\nregimen@example.org\n--\nann@example.org\n")
      #expect(try standIn.text("message").utf8.elementsEqual(message.renderedForProgram))
    }
  }

  @Test func noShellReadsAnAddress() async throws {
    let script = #"printf '%s\n' "$@" > "$here/arguments"; cat > /dev/null"#
    try await StandIn.with(script: script) { standIn async throws in
      let address = "$HOME`id`&{x}'*?#!@example.org"
      #expect(try await run(standIn.path, to: address) == .accepted)
      let arguments = try standIn.text("arguments")
      #expect(arguments.hasSuffix("--\n\(address)\n"))
    }
  }

  @Test func aLargeMessageArrivesWhole() async throws {
    try await StandIn.with(script: #"cat > "$here/message""#) { standIn async throws in
      let message = try message(text: String(repeating: "0123456789 abcdef\n", count: 200_000))
      #expect(try await program(standIn.path).send(message) == .accepted)
      #expect(try standIn.text("message").utf8.count == message.renderedForProgram.count)
    }
  }

  @Test func aProgramThatReadsNothingIsNoTrouble() async throws {
    try await StandIn.with(script: "exit 0") { standIn async throws in
      let message = try message(text: String(repeating: "x", count: 1_000_000))
      #expect(try await program(standIn.path).send(message) == .accepted)
    }
  }

  @Test func whatItSaysGoesNowhere() async throws {
    let script = #"""
      one=$(readlink /proc/$$/fd/1)
      two=$(readlink /proc/$$/fd/2)
      printf '%s\n' "$one" "$two" > "$here/out"
      echo loud
      echo loud >&2
      """#
    try await StandIn.with(script: script) { standIn async throws in
      #expect(try await run(standIn.path) == .accepted)
      #expect(try standIn.text("out") == "/dev/null\n/dev/null\n")
    }
  }

  @Test(arguments: [
    (0, MailOutcome.accepted), (75, .retry(.temporary(status: 75))),
    (71, .retry(.temporary(status: 71))), (74, .retry(.temporary(status: 74))),
    (1, .refused(.status(1))), (64, .refused(.status(64))), (67, .refused(.status(67))),
    (69, .refused(.status(69))), (77, .refused(.status(77))), (78, .refused(.status(78))),
    (255, .refused(.status(255))),
  ])
  func everyStatusHasItsMeaning(status: Int, outcome: MailOutcome) async throws {
    try await StandIn.with(script: "cat > /dev/null; exit \(status)") { standIn async throws in
      let found = try await run(standIn.path)
      #expect(found == outcome)
    }
  }

  @Test func aProgramThatHangsIsEndedWithWhatItStarted() async throws {
    // The inner process would write after the outer one has ended.
    let script = #"""
      (trap '' TERM; while [ ! -e "$here/release" ]; do sleep 0.01; done; echo > "$here/late") &
      echo $! > "$here/inner"
      wait
      """#
    try await StandIn.with(script: script) { standIn async throws in
      let outcome = try await run(standIn.path, timeLimit: 1)
      #expect(outcome == .retry(.timeout))
      let inner = try #require(
        pid_t(try standIn.text("inner").trimmingCharacters(in: .whitespacesAndNewlines)))
      // Gone, or about to be reaped by the system's first process.
      while let state = processState(inner), state != "Z" { await Task.yield() }
      #expect(!standIn.exists("late"))
    }
  }

  /// Returns the state letter in /proc; nil if there is no such process.
  private func processState(_ process: pid_t) -> Character? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let end = text.lastIndex(of: ")")
    else { return nil }
    return text[end...].dropFirst(2).first
  }

  @Test func aProgramThatIsKilledMayTryAgain() async throws {
    try await StandIn.with(script: "kill -9 $$") { standIn async throws in
      let outcome = try await run(standIn.path)
      #expect(outcome == .retry(.ended(signal: SIGKILL)))
    }
  }

  @Test func aProgramThatIsNotThereIsRefused() async throws {
    #expect(
      try await run("/nonexistent/sendmail")
        == .refused(.notStarted(code: ENOENT)))
    #expect(
      try await run("/etc") == .refused(.notStarted(code: EACCES)))
    #expect(try await run("") == .refused(.notStarted(code: ENOENT)))
  }

  @Test func theServersSettingsStayWithTheServer() async throws {
    setenv("REGIMEN_SECRET_OF_A_TEST", "secret", 1)
    defer { unsetenv("REGIMEN_SECRET_OF_A_TEST") }
    try await StandIn.with(script: #"env > "$here/environment""#) { standIn async throws in
      #expect(try await run(standIn.path) == .accepted)
      let environment = try standIn.text("environment")
      #expect(!environment.contains("REGIMEN_"))
      #expect(environment.contains("PATH="))
    }
  }

  @Test func noFileOfTheServerIsOpenInIt() async throws {
    let script = #"ls /proc/$$/fd > "$here/open""#
    try await StandIn.with(script: script) { standIn async throws in
      // A descriptor that a library opened without the close-on-exec flag.
      let file = open("/etc/hostname", O_RDONLY)
      defer { close(file) }
      #expect(try await run(standIn.path) == .accepted)
      let descriptors = try standIn.text("open").split(separator: "\n")
      // The shell itself reads its script from descriptor 10 or above.
      #expect(descriptors.filter { Int($0).map { $0 > 2 && $0 < 10 } ?? true } == [])
    }
  }

  @Test func fourAtATime() async throws {
    // Each records how many run at the same time; creating and removing the folder is atomic.
    let script = #"""
      mkdir "$here/run.$$"
      ls -d "$here"/run.* | wc -l >> "$here/counts"
      cat > /dev/null
      rmdir "$here/run.$$"
      """#
    try await StandIn.with(script: script) { standIn async throws in
      // Long, because next to all other tests a slot may take longer to become free than in production.
      let program = try program(standIn.path, timeLimit: 600)
      let message = try message()
      try await withThrowingTaskGroup(of: MailOutcome.self) { group in
        for _ in 0..<24 { group.addTask { await program.send(message) } }
        for try await outcome in group { #expect(outcome == .accepted) }
      }
      let counts = try standIn.text("counts").split(whereSeparator: \.isWhitespace)
      #expect(counts.count == 24)
      #expect(counts.allSatisfy { Int($0).map { $0 <= 4 } ?? false })
    }
  }

  @Test func whoFindsNoPlaceInTimeMayTryAgain() async throws {
    let script = #"while [ ! -e "$here/release" ]; do sleep 0.01; done; exit 0"#
    try await StandIn.with(script: script) { standIn async throws in
      let program = try program(standIn.path, timeLimit: 1)
      let message = try message()
      let outcomes = await withTaskGroup(of: MailOutcome.self) { group in
        for _ in 0..<4 { group.addTask { await program.send(message) } }
        for _ in 0..<4 { group.addTask { await program.send(message) } }
        return await group.reduce(into: [MailOutcome]()) { $0.append($1) }
      }
      // The four that ran were killed; the others had no slot, or ran after them and were killed.
      #expect(outcomes.count == 8)
      #expect(outcomes.filter { $0 == .retry(.timeout) }.count >= 4)
      #expect(outcomes.allSatisfy { [.retry(.timeout), .retry(.busy)].contains($0) })
    }
  }
}
