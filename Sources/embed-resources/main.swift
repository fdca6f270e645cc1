// SPDX-License-Identifier: Apache-2.0
import Foundation

// Called by the EmbedResources plugin: embed-resources OUTPUT ROOT [PATH...]
// Called by the EmbedVersion plugin: embed-resources --version OUTPUT FILE
//                                    embed-resources --commit OUTPUT ROOT COMMIT (or "")

private func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("embed-resources: error: \(message)\n".utf8))
  exit(1)
}

private func write(_ text: String, to output: String) throws {
  let source = Data(text.utf8)
  let destination = URL(filePath: output)
  // An unchanged file keeps its date, so that nothing that depends on it is rebuilt.
  if (try? Data(contentsOf: destination)) != source {
    try source.write(to: destination, options: .atomic)
  }
}

private let arguments = Array(CommandLine.arguments.dropFirst())

do {
  switch arguments.first {
  case "--version":
    guard arguments.count == 3 else { fail("usage: embed-resources --version OUTPUT FILE") }
    let text = try String(contentsOf: URL(filePath: arguments[2]), encoding: .utf8)
    guard let version = BuildStamp.version(in: text) else {
      fail("\(arguments[2]) must contain a version such as 1.2.3 and nothing else")
    }
    try write(EmbeddedSource.version(version), to: arguments[1])
  case "--commit":
    guard arguments.count == 4 else { fail("usage: embed-resources --commit OUTPUT ROOT COMMIT") }
    let root = URL(filePath: arguments[2], directoryHint: .isDirectory)
    guard let commit = BuildStamp.commit(given: arguments[3], at: root) else {
      fail("REGIMEN_COMMIT must be one word of letters, digits, dots and hyphens")
    }
    try write(EmbeddedSource.commit(commit), to: arguments[1])
  default:
    guard arguments.count >= 2 else { fail("usage: embed-resources OUTPUT ROOT [PATH...]") }
    let root = URL(filePath: arguments[1], directoryHint: .isDirectory)
    let files = try arguments.dropFirst(2).map { path in
      try EmbeddedFile(path: path, data: Array(Data(contentsOf: root.appending(path: path))))
    }
    try write(EmbeddedSource.text(of: files), to: arguments[0])
  }
} catch EmbeddedFile.Issue.notText(let path) {
  fail("\(path) is not UTF-8 text; others are embedded by the names .png and .gz alone")
} catch {
  fail("\(error)")
}
