// SPDX-License-Identifier: Apache-2.0

import Web

/// The authorization server of SMART App Launch, and the pages of connected apps.
package enum AppRoutes {
  /// The routes of apps, of people's decisions about them and of the registry.
  package static let all: [Route] =
    AppMetadata.routes + AuthorizeRoutes.routes + TokenEndpoint.routes
    + RegistrationEndpoint.routes + ConnectedAppsPage.routes + AppGallery.routes
}
