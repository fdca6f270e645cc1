// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Operations

@Suite struct ZipArchiveTests {
  @Test func `files of any length are read back unchanged`() throws {
    let long = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let files: [(String, [UInt8])] = [
      ("a.txt", Array("hello".utf8)), ("empty", []), ("data/long.bin", long),
    ]
    var zip = ZipArchive()
    var bytes: [UInt8] = []
    for (name, content) in files {
      bytes += try zip.begin(name)
      // In pieces, none of which fits a block.
      for start in stride(from: 0, to: content.count, by: 70_001) {
        bytes += try zip.add(content[start..<min(start + 70_001, content.count)])
      }
      bytes += try zip.end()
    }
    bytes += try zip.finish()
    let read = try ZipContent(bytes)
    #expect(read.files.map(\.name) == files.map(\.0))
    for (index, file) in files.enumerated() { #expect(read.files[index].content == file.1) }
  }

  @Test func `the checksum matches the standard's example`() {
    var checksum = CRC32()
    checksum.add(Array("123456789".utf8))
    #expect(checksum.value == 0xCBF4_3926)
    #expect(CRC32().value == 0)
  }

  @Test(arguments: [
    ("plain.json", "plain.json"), ("../../etc/passwd", "_/_/etc/passwd"), ("/abs", "abs"),
    ("a//b", "a/b"), ("C:\\x\u{0}y", "C__x_y"), ("ü né.txt", "__n_.txt"), ("...", "_"),
    ("", "_"), ("ก", "_"),
  ])
  func `file names can't lead outside the archive`(name: String, safe: String) {
    #expect(ZipArchive.safe(name) == safe)
  }

  @Test func `data can't be added without an open file`() throws {
    var zip = ZipArchive()
    #expect(throws: ZipArchive.Failure.nothingOpen) { _ = try zip.add([1]) }
    #expect(throws: ZipArchive.Failure.nothingOpen) { _ = try zip.end() }
    let bytes = try zip.finish()
    #expect(try ZipContent(bytes).files.isEmpty)
  }
}

/// Reads a zip file from the list at its end, as most programs do, and checks every checksum.
struct ZipContent {
  struct Broken: Error {}

  private(set) var files: [(name: String, content: [UInt8])] = []

  init(_ bytes: [UInt8]) throws {
    func number(_ place: Int, _ count: Int) throws -> Int {
      guard place >= 0, place + count <= bytes.count else { throw Broken() }
      return (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }
    let end = bytes.count - 22
    guard try number(end, 4) == 0x0605_4B50 else { throw Broken() }
    var place = try number(end + 16, 4)
    for _ in 0..<(try number(end + 10, 2)) {
      guard try number(place, 4) == 0x0201_4B50 else { throw Broken() }
      let (checksum, size) = (try number(place + 16, 4), try number(place + 24, 4))
      let nameLength = try number(place + 28, 2)
      let name = String(decoding: bytes[(place + 46)..<(place + 46 + nameLength)], as: UTF8.self)
      let local = try number(place + 42, 4)
      guard try number(local, 4) == 0x0403_4B50, try number(local + 26, 2) == nameLength else {
        throw Broken()
      }
      var block = local + 30 + nameLength
      var content: [UInt8] = []
      while true {
        let isLast = try number(block, 1) == 1
        let (length, check) = (try number(block + 1, 2), try number(block + 3, 2))
        guard length == check ^ 0xFFFF else { throw Broken() }
        content += bytes[(block + 5)..<(block + 5 + length)]
        block += 5 + length
        if isLast { break }
      }
      var found = CRC32()
      found.add(content)
      guard content.count == size, Int(found.value) == checksum else { throw Broken() }
      files.append((name, content))
      place += 46 + nameLength
    }
  }

  func text(_ name: String) -> String? {
    files.first { $0.name == name }.map { String(decoding: $0.content, as: UTF8.self) }
  }
}
