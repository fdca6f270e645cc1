// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import Hummingbird

/// The answer to a write as a value, so that it can be stored with the write.
package struct WrittenAnswer: Sendable, Hashable {
  var status: Int
  var mediaType: String
  var location: String?
  /// The ETag of the written version; nil if the answer has none.
  package var etag: String?
  var lastModified: String?
  /// The bytes of the body; empty without one.
  package var body: [UInt8]

  /// Creates an answer from its status, header fields and body.
  package init(
    status: Int, mediaType: String = "application/json", location: String? = nil,
    etag: String? = nil, lastModified: String? = nil, body: [UInt8]
  ) {
    self.status = status
    self.mediaType = mediaType
    self.location = location
    self.etag = etag
    self.lastModified = lastModified
    self.body = body
  }

  /// Creates an answer with a JSON body.
  package init(status: Int, json: JSONValue) {
    self.init(status: status, body: json.bytes)
  }

  /// The answer 204: done, without a body.
  package static let nothing = WrittenAnswer(status: 204, body: [])

  /// The answer as it is sent, never cached.
  package var response: Response {
    guard status != 204 else {
      return Response(status: .noContent, headers: [.cacheControl: "no-store"])
    }
    var headers = HTTPFields()
    headers[.location] = location
    headers[.eTag] = etag
    headers[.lastModified] = lastModified
    return JSONResponse.make(
      bytes: body, status: HTTPResponse.Status(code: status), mediaType: mediaType,
      headers: headers)
  }
}
