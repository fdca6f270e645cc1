// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import NIOCore
import SiteMap
import Web

/// The page `/trust`, on which a device gets the home's certificate authority.
///
/// It is open to everyone: a device must trust the authority before anyone signs in on it, and a
/// certificate is not secret.
package enum TrustRoutes {
  static let authorityPath = "/trust/authority.crt"
  static let profilePath = "/trust/authority.mobileconfig"

  /// The routes of the page and of the two files it offers; the files do not exist without such an
  /// authority.
  package static let all: [Route] = [
    .open(.get, Address.trust) { call in
      TrustPage(home: call.environment.home).response(call)
    },
    .open(.get, authorityPath) { call in
      guard let home = call.environment.home else { throw Failure.notFound }
      return file(
        home.authority.der, type: "application/x-x509-ca-cert", name: "regimen-authority.crt")
    },
    .open(.get, profilePath) { call in
      guard let home = call.environment.home else { throw Failure.notFound }
      return file(
        AppleProfile(authority: home.authority, localizer: call.localizer).bytes,
        type: "application/x-apple-aspen-config", name: "regimen-authority.mobileconfig")
    },
  ]

  private static func file(_ bytes: [UInt8], type: String, name: String) -> Response {
    Response(
      status: .ok,
      headers: [
        .contentType: type, .cacheControl: "no-store",
        .contentDisposition: "attachment; filename=\"\(name)\"",
      ],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}
