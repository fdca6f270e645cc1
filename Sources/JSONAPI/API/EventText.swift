// SPDX-License-Identifier: Apache-2.0

import FHIR
import NIOCore

/// The lines of a stream of server-sent events (WHATWG HTML, section 9.2).
enum EventText {
  /// Returns an event; without an id, the client keeps the previous one.
  static func event(_ name: String, _ data: JSONValue, id: String? = nil) -> ByteBuffer {
    var buffer = ByteBuffer()
    if let id { buffer.writeString("id: \(id)\n") }
    buffer.writeString("event: \(name)\ndata: ")
    // The JSON writer emits no line breaks.
    buffer.writeBytes(data.bytes)
    buffer.writeString("\n\n")
    return buffer
  }

  /// Returns the reconnection time and the cursor to continue from.
  static func greeting(id: String, retryMilliseconds: Int) -> ByteBuffer {
    ByteBuffer(string: "retry: \(retryMilliseconds)\nid: \(id)\n\n")
  }

  /// A comment line that only keeps the connection open.
  static let comment = ByteBuffer(string: ":\n\n")
}
