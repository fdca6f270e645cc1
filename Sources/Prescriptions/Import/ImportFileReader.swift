// SPDX-License-Identifier: Apache-2.0
import FHIR

/// Reads the bytes of a file as they come into what an import works with.
package struct ImportFileReader: Sendable {
  /// What kind of file it is, by its beginning.
  package enum Format: String, Sendable, Hashable, CaseIterable {
    case json, zip, xml, other
  }

  /// Nil until the first byte that says something.
  package private(set) var format: Format?
  private var reading = ImportReading()
  private var stream: ResourceStream

  /// - Parameter fileName: lines are known by the names that they usually have.
  package init(fileName: String) {
    let name = fileName.lowercased()
    stream = ResourceStream(isLines: name.hasSuffix(".ndjson") || name.hasSuffix(".jsonl"))
  }

  package var entryCount: Int { stream.count }

  /// Takes further bytes; those of a file that is no JSON are passed over.
  package mutating func append(_ bytes: [UInt8]) {
    if format == nil { format = Self.format(of: bytes) }
    guard format == .json else { return }
    stream.append(bytes) { reading.add($0) }
  }

  /// What the file holds, once all of it was read.
  package mutating func finish() -> ImportFile {
    if format == .json { stream.finish { reading.add($0) } }
    return reading.result(hasFurtherPages: stream.hasFurtherPages)
  }

  /// What begins with these bytes; nil for blanks alone.
  package static func format(of bytes: [UInt8]) -> Format? {
    let blank: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20, 0x1E, 0xEF, 0xBB, 0xBF]
    guard let first = bytes.first(where: { !blank.contains($0) }) else { return nil }
    switch first {
    case UInt8(ascii: "{"): return .json
    case UInt8(ascii: "<"): return .xml
    case UInt8(ascii: "P") where bytes.starts(with: [0x50, 0x4B]): return .zip
    default: return .other
    }
  }
}
