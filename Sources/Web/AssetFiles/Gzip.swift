// SPDX-License-Identifier: Apache-2.0

import CZlib

/// Gzip compression of static files, pages and answers to programs.
package enum Gzip {
  /// Returns the bytes in the form of RFC 1952; nil if zlib runs out of memory.
  ///
  /// - Parameter level: The compression level, from 1 to 9.
  package static func compressed(_ bytes: [UInt8], level: Int32 = Z_BEST_COMPRESSION) -> [UInt8]? {
    var stream = z_stream()
    // Adding 16 to the window size asks zlib for a gzip header and trailer.
    let begun = deflateInit2_(
      &stream, level, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard begun == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    var source = bytes
    var packed = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
    let ended = source.withUnsafeMutableBufferPointer { input in
      packed.withUnsafeMutableBufferPointer { output in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        return deflate(&stream, Z_FINISH)
      }
    }
    guard ended == Z_STREAM_END else { return nil }
    return Array(packed.prefix(Int(stream.total_out)))
  }

  /// Returns true if an `Accept-Encoding` field accepts gzip (RFC 9110, 12.5.3).
  package static func isAccepted(_ header: String?) -> Bool {
    guard let header else { return false }
    for part in header.split(separator: ",") {
      let words = part.split(separator: ";").map {
        String($0).filter { !$0.isWhitespace }.lowercased()
      }
      guard let coding = words.first, coding == "gzip" || coding == "*" else { continue }
      let weight = words.dropFirst().first { $0.hasPrefix("q=") }.map {
        Double($0.dropFirst(2)) ?? 0
      }
      return (weight ?? 1) > 0
    }
    return false
  }
}
