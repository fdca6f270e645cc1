// SPDX-License-Identifier: Apache-2.0

import CZlib

/// Decompression of answers from other servers.
package enum CompressedAnswer {
  /// Returns the content of a gzip file (RFC 1952); nil if it is broken or larger than the limit.
  ///
  /// - Parameter limit: The largest size of the content, in bytes.
  package static func unpack(_ packed: [UInt8], limit: Int) -> [UInt8]? {
    var stream = z_stream()
    // Adding 16 to the window size asks zlib for a gzip header and trailer.
    guard
      inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { inflateEnd(&stream) }
    var source = packed
    var result: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 * 1024)
    return source.withUnsafeMutableBufferPointer { input -> [UInt8]? in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(clamping: input.count)
      while true {
        let (status, count) = piece.withUnsafeMutableBufferPointer { output -> (Int32, Int) in
          stream.next_out = output.baseAddress
          stream.avail_out = UInt32(clamping: output.count)
          let status = inflate(&stream, Z_NO_FLUSH)
          return (status, output.count - Int(stream.avail_out))
        }
        guard status == Z_OK || status == Z_STREAM_END, result.count + count <= limit else {
          return nil
        }
        result += piece.prefix(count)
        if status == Z_STREAM_END { return result }
        // The file is truncated.
        if count == 0, stream.avail_in == 0 { return nil }
      }
    }
  }
}
