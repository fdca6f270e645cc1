// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The memory that the program's own code takes.
///
/// Most of the code that is resident after the start was only needed to start: the kernel maps 16 pages around each
/// one that is read. Released pages stay in the file cache, so that code which is needed again costs a page fault and
/// no read from disk.
package enum ProgramMemory {
  /// One mapping of a process: its addresses and the file it shows.
  package struct Mapping: Sendable, Equatable {
    /// The first address and the end.
    package let addresses: Range<UInt>
    /// True for code: readable and executable, and never written.
    package let isCode: Bool
    /// The path of the file; a name in brackets for memory of another kind.
    package let file: String
  }

  /// Releases the resident pages of the program's code; returns false if the system does not list its mappings.
  @discardableResult
  package static func releaseCode() -> Bool {
    guard let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8),
      let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    else { return false }
    var isReleased = false
    for mapping in mappings(in: maps) where mapping.isCode && mapping.file == program {
      guard let start = UnsafeMutableRawPointer(bitPattern: mapping.addresses.lowerBound) else {
        continue
      }
      if madvise(start, mapping.addresses.count, Int32(MADV_DONTNEED)) == 0 { isReleased = true }
    }
    return isReleased
  }

  /// Returns the mappings in the text of `/proc/PID/maps`; a line of another form is left out.
  package static func mappings(in text: String) -> [Mapping] {
    text.split(separator: "\n").compactMap { line in
      // 5581c0000000-5581c3243000 r-xp 00daa000 fe:00 1234    /usr/bin/regimen
      let parts = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
      let ends = parts.first?.split(separator: "-").compactMap { UInt($0, radix: 16) } ?? []
      guard parts.count == 6, ends.count == 2, ends[0] < ends[1] else { return nil }
      return Mapping(
        addresses: ends[0]..<ends[1], isCode: parts[1] == "r-xp",
        file: parts[5].trimmingCharacters(in: .whitespaces))
    }
  }
}
