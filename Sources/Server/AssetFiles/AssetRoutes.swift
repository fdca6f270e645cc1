// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import NIOCore

/// `/assets`: style, script and icon.
///
/// Their addresses change with their content.
package enum AssetRoutes {
  package static let all: [Route] = PageAssets.all.map { asset in
    let body = ByteBuffer(bytes: asset.bytes)
    return .open(.get, asset.path) { _ in
      var headers: HTTPFields = [
        .contentType: asset.mediaType,
        .cacheControl: "public, max-age=31536000, immutable",
      ]
      // Whoever runs the module can unpack it too.
      if let encoding = asset.encoding { headers[.contentEncoding] = encoding }
      return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
    }
  }
}
