// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import Media
import NIOCore

/// Answers with photos of people, medicines and messages.
enum PhotoResponse {
  /// A photo that no cache keeps: whoever uses the device next must not find it in the browser's folder.
  static func make(_ bytes: [UInt8]) -> Response {
    Response(
      status: .ok,
      headers: [
        .contentType: Photo.mediaType, .cacheControl: "no-store", .contentDisposition: "inline",
      ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}
