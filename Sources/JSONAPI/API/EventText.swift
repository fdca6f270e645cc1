// SPDX-License-Identifier: Apache-2.0

import FHIR
import NIOCore

/// The lines of a stream of server-sent events (WHATWG HTML, section 9.2).
enum EventText {
  /// An event; without an id the client keeps the id of the one before.
  static func event(_ name: String, _ data: JSONValue, id: String? = nil) -> ByteBuffer {
    var buffer = ByteBuffer()
    if let id { buffer.writeString("id: \(id)\n") }
    buffer.writeString("event: \(name)\ndata: ")
    // JSON as it is written here has no line breaks.
    buffer.writeBytes(data.bytes)
    buffer.writeString("\n\n")
    return buffer
  }

  /// Tells how long to wait before connecting again, and where to go on from.
  static func greeting(id: String, retryMilliseconds: Int) -> ByteBuffer {
    ByteBuffer(string: "retry: \(retryMilliseconds)\nid: \(id)\n\n")
  }

  /// A line that says nothing but that the line is up.
  static let comment = ByteBuffer(string: ":\n\n")
}
