// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import Hummingbird
import NIOCore

/// Answers in JSON.
package enum JSONResponse {
  package static func make(
    _ value: JSONValue, status: HTTPResponse.Status = .ok,
    mediaType: String = "application/json", headers: HTTPFields = [:]
  ) -> Response {
    var bytes: [UInt8] = []
    value.write(into: &bytes)
    return make(bytes: bytes, status: status, mediaType: mediaType, headers: headers)
  }

  /// For JSON that is written already: stored resources are passed on byte by byte.
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
