// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import Media
import NIOCore

/// Answers with photos of people, medicines and messages.
package enum PhotoResponse {
  /// Returns a photo that is never cached, so that the device's next user can't find it in the
  /// browser's files.
  package static func make(_ bytes: [UInt8]) -> Response {
    Response(
      status: .ok,
      headers: [
        .contentType: Photo.mediaType, .cacheControl: "no-store", .contentDisposition: "inline",
      ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}
