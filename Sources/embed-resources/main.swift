// SPDX-License-Identifier: Apache-2.0
import Foundation

// Called by the EmbedResources plugin: embed-resources OUTPUT ROOT [PATH...]

private func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("embed-resources: error: \(message)\n".utf8))
  exit(1)
}

private let arguments = CommandLine.arguments.dropFirst()
guard arguments.count >= 2, let output = arguments.first else {
  fail("usage: embed-resources OUTPUT ROOT [PATH...]")
}
private let root = URL(filePath: arguments[arguments.startIndex + 1], directoryHint: .isDirectory)

do {
  let files = try arguments.dropFirst(2).map { path in
    try EmbeddedFile(path: path, data: Array(Data(contentsOf: root.appending(path: path))))
  }
  let source = Data(EmbeddedSource.text(of: files).utf8)
  let destination = URL(filePath: output)
  // An unchanged file keeps its date, so that nothing that depends on it is rebuilt.
  if (try? Data(contentsOf: destination)) != source {
    try source.write(to: destination, options: .atomic)
  }
} catch EmbeddedFile.Issue.notText(let path) {
  fail("\(path) is not UTF-8 text; others are embedded by the names .png and .gz alone")
} catch {
  fail("\(error)")
}
