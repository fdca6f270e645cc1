// SPDX-License-Identifier: Apache-2.0
import FHIR

/// Reads the bytes of a file, as they arrive, into an ``ImportFile``.
package struct ImportFileReader: Sendable {
  /// The kind of a file, by its first bytes.
  package enum Format: String, Sendable, Hashable, CaseIterable {
    case json, zip, xml, other
  }

  /// The kind of the file; nil until the first byte that is not blank.
  package private(set) var format: Format?
  private var reading = ImportReading()
  private var stream: ResourceStream

  /// Creates a reader.
  ///
  /// - Parameter fileName: The name of the file; names with `.ndjson` or `.jsonl` are read line by line.
  package init(fileName: String) {
    let name = fileName.lowercased()
    stream = ResourceStream(isLines: name.hasSuffix(".ndjson") || name.hasSuffix(".jsonl"))
  }

  /// The number of entries read so far.
  package var entryCount: Int { stream.count }

  /// Reads further bytes; those of a file that is not JSON are ignored.
  package mutating func append(_ bytes: [UInt8]) {
    if format == nil { format = Self.format(of: bytes) }
    guard format == .json else { return }
    stream.append(bytes) { reading.add($0) }
  }

  /// Returns the content of the file after its last byte.
  package mutating func finish() -> ImportFile {
    if format == .json { stream.finish { reading.add($0) } }
    return reading.result(hasFurtherPages: stream.hasFurtherPages)
  }

  /// Returns the kind of a file that starts with these bytes; nil if they are all blank.
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
