// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import embed_resources

/// The version and the commit that a program says it was built from.
@Suite struct BuildStampTests {
  private static let commit = String(repeating: "0123456789abcdef", count: 3).prefix(40)
  private static let other = String(repeating: "f", count: 40)

  @Test(arguments: ["0.9.0\n", "1.20.3", "1.0.0-rc.1"])
  func `a version is three numbers`(text: String) {
    #expect(BuildStamp.version(in: text) == text.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  @Test(arguments: ["", "1.0", "1.0.x", "1.0.0-", "1..0", "v1.0.0", "1.0.0\n1.0.1", "1.0.0-\"b"])
  func `anything else is no version`(text: String) {
    #expect(BuildStamp.version(in: text) == nil)
  }

  @Test func `outside a repository the commit is the given one, else unknown`() throws {
    try inFolder([:]) { root in
      #expect(BuildStamp.commit(given: "", at: root) == "unknown")
      #expect(BuildStamp.commit(given: "abc-1", at: root) == "abc-1")
      #expect(BuildStamp.commit(given: "a b", at: root) == nil)
    }
  }

  @Test func `a branch, a packed branch and a bare commit are read`() throws {
    let head = "ref: refs/heads/main\n"
    let packed = """
      # pack-refs with: peeled
      \(Self.other) refs/heads/not/main
      \(Self.commit) refs/heads/main

      """
    let cases: [[String: String]] = [
      [".git/HEAD": head, ".git/refs/heads/main": "\(Self.commit)\n"],
      [".git/HEAD": head, ".git/packed-refs": packed],
      [".git/HEAD": "\(Self.commit)\n"],
    ]
    let short = String(Self.commit.prefix(12))
    for files in cases {
      try inFolder(files) { root in
        #expect(BuildStamp.commit(given: "", at: root) == short)
        #expect(BuildStamp.commit(given: "given", at: root) == "given")
      }
    }
  }

  @Test func `a second working copy finds its branch in the first one`() throws {
    let files = [
      ".git": "gitdir: first/.git/worktrees/second\n",
      "first/.git/worktrees/second/HEAD": "ref: refs/heads/side\n",
      "first/.git/worktrees/second/commondir": "../..\n",
      "first/.git/refs/heads/side": "\(Self.commit)\n",
    ]
    try inFolder(files) { root in
      #expect(BuildStamp.commit(given: "", at: root) == String(Self.commit.prefix(12)))
    }
  }

  @Test(arguments: [
    [".git/HEAD": "ref: refs/heads/main\n"], [".git/HEAD": "nonsense\n"], [".git/HEAD": ""],
    [".git": "nonsense\n"],
  ])
  func `a repository that cannot be read is no reason to fail`(files: [String: String]) throws {
    try inFolder(files) { root in
      #expect(BuildStamp.commit(given: "", at: root) == "unknown")
    }
  }

  @Test func `the sources hold the texts as literals`() {
    let version = "enum EmbeddedVersion {\n  static let number = \"1.2.3\"\n}\n"
    #expect(EmbeddedSource.version("1.2.3").contains(version))
    let commit = "enum EmbeddedCommit {\n  static let text = \"abc\"\n}\n"
    #expect(EmbeddedSource.commit("abc").contains(commit))
  }

  /// Runs a body in a folder with these files.
  private func inFolder(_ files: [String: String], _ body: (URL) throws -> Void) throws {
    let path = try #require(TemporaryFolder.make())
    defer { try? FileManager.default.removeItem(atPath: path) }
    let root = URL(filePath: path, directoryHint: .isDirectory)
    for (name, text) in files {
      let file = root.appending(path: name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    try body(root)
  }
}
