// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Media

@Suite struct QRCodeTests {
  /// Created by segno 1.6, an independent implementation: version 3-M, mask 1.
  ///
  /// The text fills the code, because programs pad the rest differently, and readers ignore it.
  private static let known = """
    #######.#..#..#.....#.#######
    #.....#....#..#.#.....#.....#
    #.###.#.#..#.#...##.#.#.###.#
    #.###.#..###.#.#.#.##.#.###.#
    #.###.#..##......#..#.#.###.#
    #.....#.#.###.#...#...#.....#
    #######.#.#.#.#.#.#.#.#######
    .........#.#..##....#........
    #.#...##..#.#..#..#.#..#..#.#
    ..####..#...##.##.###.##...##
    .#..#.####..######.#.#...##.#
    #......##..##..##........#...
    ##.####.##.#...##.###.##....#
    #.#....#....##.##.###.##...##
    ###.#.##..##...#..##..###...#
    #.###...####..###.##.#.#.....
    .##...#.....#.....###.#.....#
    .#.....#######.#.#.##.##..###
    ##..#.##.#####.##..#....##..#
    ..#.....#.#.#.#.#.###.#.#....
    ##.#.##.#.#.#..#....######.#.
    ........#.#.#..##.#.#...###.#
    #######.###..#.#.#..#.#.#...#
    #.....#...###.##...##...#...#
    #.###.#..#..####...#######.#.
    #.###.#..#.#.#.##.#.....###.#
    #.###.#.#..#...#..#..#..#..##
    #.....#..##.###.#...######...
    #######.###...##....##.#.#..#
    """

  private func drawn(_ code: QRCode) -> String {
    code.modules.map { row in String(row.map { $0 ? "#" : "." }) }.joined(separator: "\n")
  }

  @Test func `a code matches another implementation's`() throws {
    let code = try #require(QRCode("https://kitchen.local:8443/trust?from=home"))
    #expect(drawn(code) == Self.known)
  }

  @Test(arguments: [1, 14, 15, 26, 27, 100, 500, 2331])
  func `a code has the structure of the standard`(length: Int) throws {
    let code = try #require(QRCode(String(repeating: "a", count: length)))
    #expect((code.side - 21) % 4 == 0)
    #expect((21...177).contains(code.side))
    #expect(code.modules.allSatisfy { $0.count == code.side })
    let last = code.side - 7
    for (top, left) in [(0, 0), (0, last), (last, 0)] {
      for row in 0..<7 {
        for column in 0..<7 {
          let ring = max(abs(row - 3), abs(column - 3))
          #expect(code.isDark(row: top + row, column: left + column) == (ring != 2))
        }
      }
    }
    for step in 8..<code.side - 8 {
      #expect(code.isDark(row: 6, column: step) == (step % 2 == 0))
      #expect(code.isDark(row: step, column: 6) == (step % 2 == 0))
    }
    // The module that is always dark.
    #expect(code.isDark(row: code.side - 8, column: 8))
  }

  @Test func `more error correction takes more space`() throws {
    let sides = try QRCode.Correction.allCases.map { correction in
      try #require(QRCode("https://kitchen.local:8443/trust", correction: correction)).side
    }
    #expect(sides == sides.sorted())
    #expect(sides.first != sides.last)
  }

  @Test func `empty and oversized input is refused`() {
    #expect(QRCode("") == nil)
    #expect(QRCode(String(repeating: "a", count: 2332)) == nil)
    #expect(QRCode(String(repeating: "a", count: 2953), correction: .low) != nil)
    #expect(QRCode(String(repeating: "a", count: 2954), correction: .low) == nil)
    #expect(QRCode(String(repeating: "ä", count: 2000)) == nil)
  }

  @Test func `a zero byte is preserved`() throws {
    let cut = try #require(QRCode("a"))
    let whole = try #require(QRCode("a\u{0}b"))
    #expect(cut != whole)
  }

  @Test func `the path covers the dark modules and nothing else`() throws {
    let code = try #require(QRCode("https://kitchen.local:8443/trust"))
    var painted = Array(
      repeating: Array(repeating: false, count: code.sideWithQuietZone),
      count: code.sideWithQuietZone)
    let runs = code.svgPath.matches(of: /M(\d+) (\d+)h(\d+)v1h-(\d+)z/)
    #expect(runs.map { String($0.0) }.joined() == code.svgPath)
    for run in runs {
      let (x, y, length) = try (
        #require(Int(run.1)), #require(Int(run.2)), #require(Int(run.3))
      )
      #expect(run.3 == run.4)
      for column in x..<x + length {
        #expect(!painted[y][column])
        painted[y][column] = true
      }
    }
    for (row, line) in painted.enumerated() {
      for (column, isDark) in line.enumerated() {
        #expect(
          isDark
            == code.isDark(row: row - QRCode.quietZone, column: column - QRCode.quietZone))
      }
    }
  }

  @Test func `a terminal shows two rows in a line and the quiet zone around`() throws {
    let code = try #require(QRCode("https://kitchen.local:8443/trust"))
    let lines = code.terminalText.split(separator: "\n").map { line in
      Array(line.replacing("\u{1B}[30;107m", with: "").replacing("\u{1B}[0m", with: ""))
    }
    #expect(lines.count == (code.sideWithQuietZone + 1) / 2)
    #expect(lines.allSatisfy { $0.count == code.sideWithQuietZone })
    for (index, line) in lines.enumerated() {
      for (column, character) in line.enumerated() {
        let row = index * 2 - QRCode.quietZone
        let place = column - QRCode.quietZone
        #expect("█▀".contains(character) == code.isDark(row: row, column: place))
        #expect("█▄".contains(character) == code.isDark(row: row + 1, column: place))
      }
    }
  }
}
