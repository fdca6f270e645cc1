// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import embed_resources

@Suite("Files that ship inside the program") struct EmbeddedSourceTests {
  @Test("text is embedded as text and pictures as base64, sorted by path")
  func sorts() throws {
    let files = try [
      EmbeddedFile(path: "Assets/b.css", data: Array("a { b: \"c\" }\n".utf8)),
      EmbeddedFile(path: "Assets/a.svg", data: Array("<svg/>".utf8)),
      EmbeddedFile(path: "Assets/z.png", data: [0x89, 0x50, 0x00, 0xFF]),
      EmbeddedFile(path: "Assets/c.png", data: []),
    ]
    let source = EmbeddedSource.text(of: files)
    let places = try [
      "(path: \"Assets/a.svg\", content: \"<svg/>\"),",
      "(path: \"Assets/b.css\", content: \"a { b: \\\"c\\\" }\\n\"),",
      "(path: \"Assets/c.png\", base64: \"\"),",
      "(path: \"Assets/z.png\", base64: \"iVAA/w==\"),",
    ].map { try #require(source.firstRange(of: $0), "\($0) in \(source)").lowerBound }
    #expect(places == places.sorted())
    #expect(EmbeddedSource.text(of: files.reversed()) == source)
  }

  @Test("without files there are two empty lists")
  func empty() {
    let source = EmbeddedSource.text(of: [])
    #expect(source.contains("files: [(path: String, content: String)] = [\n  ]"))
    #expect(source.contains("binaries: [(path: String, base64: String)] = [\n  ]"))
  }

  @Test("a file that is neither text nor a picture is refused")
  func refuses() throws {
    #expect(throws: EmbeddedFile.Issue.notText(path: "Assets/a.css")) {
      try EmbeddedFile(path: "Assets/a.css", data: [0xFF, 0xFE])
    }
    let picture = try EmbeddedFile(path: "Assets/a.png", data: [0xFF, 0xFE])
    #expect(picture.content == .bytes([0xFF, 0xFE]))
    let compressed = try EmbeddedFile(path: "Assets/a.wasm.gz", data: [0x1F, 0x8B])
    #expect(compressed.content == .bytes([0x1F, 0x8B]))
  }

  @Test(
    "a literal reads back as the text",
    arguments: [
      ("plain", "\"plain\""), ("\r\n\t", "\"\\r\\n\\t\""), ("\\(x)", "\"\\\\(x)\""),
      ("\u{0}\u{FEFF}", "\"\\u{0}\\u{feff}\""), ("ไทย", "\"ไทย\""),
    ])
  func literal(text: String, expected: String) {
    #expect(EmbeddedSource.literal(text) == expected)
  }
}
