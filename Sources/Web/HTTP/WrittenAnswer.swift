// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import Hummingbird

/// The answer to a write as a value, so that it can be kept beside what was written.
package struct WrittenAnswer: Sendable, Hashable {
  var status: Int
  var mediaType: String
  var location: String?
  package var etag: String?
  var lastModified: String?
  package var body: [UInt8]

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

  package init(status: Int, json: JSONValue) {
    self.init(status: status, body: json.bytes)
  }

  /// 204: it is done, and there is nothing to say.
  package static let nothing = WrittenAnswer(status: 204, body: [])

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
