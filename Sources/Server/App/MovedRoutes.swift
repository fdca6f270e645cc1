// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import SiteMap
import Web

/// Redirects from the old addresses of pages to the new ones.
///
/// Anyone may follow them: the page that they lead to decides who may read it.
package enum MovedRoutes {
  /// A permanent redirect (301) for each moved address; parameters and the query are kept.
  package static let all: [Route] = MovedAddress.all.map { moved in
    .open(.get, moved.old) { call in
      // Parameters and the query stay percent-encoded as they were.
      let path = try moved.address { name in
        guard let value = call.context.parameters.get(name) else { throw Failure.notFound }
        return value
      }
      let query = call.request.uri.query.map { "?\($0)" } ?? ""
      return Response(status: .movedPermanently, headers: [.location: "\(path)\(query)"])
    }
  }
}
