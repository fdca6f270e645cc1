// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Web

@Suite struct MultipartReaderTests {
  private static let type = "multipart/form-data; boundary=----X1"

  /// Returns a short description of a body's parts.
  private static func read(_ body: String, chunk: Int) throws -> [String] {
    var reader = try #require(MultipartReader(contentType: type))
    let bytes = Array(body.utf8)
    var told: [String] = []
    var content: [UInt8] = []
    var position = 0
    while position < bytes.count {
      let end = min(position + chunk, bytes.count)
      for event in try reader.append(bytes[position..<end]) {
        switch event {
        case .began(let name, let fileName): told.append("\(name) \(fileName ?? "-")")
        case .bytes(let bytes): content += bytes
        case .ended:
          told.append(String(decoding: content, as: UTF8.self))
          content = []
        }
      }
      position = end
    }
    return told + (reader.isFinished ? [] : ["unfinished"])
  }

  private static let body =
    "------X1\r\nContent-Disposition: form-data; name=\"form-token\"\r\n\r\nabc\r\n------X1\r\n"
    + "Content-Disposition: form-data; name=\"file\"; filename=\"a b.json\"\r\nContent-Type: application/json\r\n\r\n"
    + "{\"a\":\"\r\n------X\"}\r\n\r\n------X1--\r\n"

  @Test(arguments: [1, 2, 5, 17, 64, 4_096])
  func `parts are the same however the body is split`(chunk: Int) throws {
    #expect(
      try Self.read(Self.body, chunk: chunk) == [
        "form-token -", "abc", "file a b.json", "{\"a\":\"\r\n------X\"}\r\n",
      ])
  }

  @Test func `an empty file has no bytes`() throws {
    let body =
      "------X1\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\"\r\n\r\n\r\n------X1--"
    #expect(try Self.read(body, chunk: 8) == ["file ", ""])
  }

  @Test(arguments: [
    "", "preamble only", "------X1\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nabc",
  ])
  func `a truncated body never finishes`(body: String) throws {
    #expect(try Self.read(body, chunk: 7).last == "unfinished")
  }

  @Test(arguments: [
    "------X1\r\nContent-Type: text/plain\r\n\r\nx\r\n------X1--",
    "------X1 junk\r\n", "------X1\r\n" + String(repeating: "a", count: 20_000),
  ])
  func `anything but a form is refused`(body: String) {
    #expect(throws: (any Error).self) { _ = try Self.read(body, chunk: 512) }
  }

  @Test(arguments: [
    "application/json", "multipart/form-data", "multipart/mixed; boundary=x", "",
    "multipart/form-data; boundary=",
  ])
  func `only multipart forms are read`(type: String) {
    #expect(MultipartReader(contentType: type) == nil)
  }

  @Test func `a quoted boundary is read`() {
    #expect(
      MultipartReader(contentType: "multipart/form-data; charset=utf-8; boundary=\"a b\"") != nil)
  }
}
