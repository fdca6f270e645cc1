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
    let data = try Data(contentsOf: root.appending(path: path))
    guard let text = String(validating: data, as: UTF8.self) else {
      fail("\(path) is not UTF-8 text; only text files can be embedded")
    }
    return EmbeddedFile(path: path, text: text)
  }
  let source = Data(EmbeddedSource.text(of: files).utf8)
  let destination = URL(filePath: output)
  // An unchanged file keeps its date, so that nothing that depends on it is built again.
  if (try? Data(contentsOf: destination)) != source {
    try source.write(to: destination, options: .atomic)
  }
} catch {
  fail("\(error)")
}
