// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import Hummingbird
import NIOCore

/// Answers in JSON.
package enum JSONResponse {
  /// Returns a JSON value as an answer that is never cached.
  package static func make(
    _ value: JSONValue, status: HTTPResponse.Status = .ok,
    mediaType: String = "application/json", headers: HTTPFields = [:]
  ) -> Response {
    var bytes: [UInt8] = []
    value.write(into: &bytes)
    return make(bytes: bytes, status: status, mediaType: mediaType, headers: headers)
  }

  /// Returns existing JSON, such as a stored resource, byte by byte and never cached.
  package static func make(
    bytes: [UInt8], status: HTTPResponse.Status = .ok, mediaType: String,
    headers: HTTPFields = [:]
  ) -> Response {
    var headers = headers
    headers[.contentType] = "\(mediaType); charset=utf-8"
    headers[.cacheControl] = "no-store"
    return Response(
      status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}
