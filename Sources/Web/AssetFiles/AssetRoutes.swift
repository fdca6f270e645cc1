// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import NIOCore

/// The addresses below `/assets`: style sheet, scripts and icons.
///
/// Each address changes with the content of its file, so browsers may cache it for a year.
package enum AssetRoutes {
  /// A route for each file; text is sent compressed to clients that accept gzip.
  package static let all: [Route] = PageAssets.all.map { asset in
    let body = ByteBuffer(bytes: asset.bytes)
    let isText = asset.encoding == nil && !asset.mediaType.hasPrefix("image/png")
    let packed = isText ? Gzip.compressed(asset.bytes).map { ByteBuffer(bytes: $0) } : nil
    return Route.open(.get, asset.path) { call in
      var headers: HTTPFields = [
        .contentType: asset.mediaType,
        .cacheControl: "public, max-age=31536000, immutable",
      ]
      // A client that can run the module can also decompress it.
      if let encoding = asset.encoding { headers[.contentEncoding] = encoding }
      guard let packed else {
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
      }
      headers[.vary] = "Accept-Encoding"
      let isPacked = Gzip.isAccepted(call.request.headers[.acceptEncoding])
      if isPacked { headers[.contentEncoding] = "gzip" }
      return Response(
        status: .ok, headers: headers, body: ResponseBody(byteBuffer: isPacked ? packed : body))
    }.withoutData()
  }
}
