// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import Hummingbird
import Localization
import NIOCore
import SiteMap
import Web

/// The manifest and the service worker, with which the pages can be installed as an app and receive
/// reminders.
package enum WebAppRoutes {
  static let manifestPath = "/manifest.webmanifest"
  static let workerPath = "/service-worker.js"

  /// The routes of the manifest and the service worker, which need no sign-in.
  package static let all: [Route] = [
    .open(.get, manifestPath, manifest),
    .open(.get, workerPath, worker),
  ]

  @Sendable private static func manifest(_ call: Call) -> Response {
    let localizer = call.localizer
    let name = localizer.text("parts.product")
    var response = JSONResponse.make(
      [
        "id": "/", "name": .string(name), "short_name": .string(name),
        "description": .string(localizer.text("ring.app.description")),
        "lang": .string(localizer.language.rawValue), "dir": "ltr",
        "start_url": "/", "scope": "/", "display": "standalone",
        "background_color": "#faf7f2", "theme_color": "#0f5257", "categories": ["health"],
        "icons": .array([
          icon(.icon192), icon(.icon512), icon(.maskable512, purpose: "maskable"),
        ]),
        "shortcuts": .array([
          shortcut("ring.shortcut.take", "/#now", localizer),
          shortcut("ring.shortcut.log", "/entry", localizer),
          shortcut("emergency-card.title", Address.emergencyCard, localizer),
          shortcut("ring.title-armed", "/ring", localizer),
        ]),
      ], mediaType: "application/manifest+json")
    response.headers[.cacheControl] = "no-cache"
    return response
  }

  private static func icon(
    _ picture: PageAssets.Picture, purpose: String = "any"
  ) -> JSONValue {
    [
      "src": .string(PageAssets.picture(picture).path), "type": "image/png",
      "sizes": .string("\(picture.size)x\(picture.size)"), "purpose": .string(purpose),
    ]
  }

  private static func shortcut(
    _ title: MessageKey, _ address: String, _ localizer: Localizer
  ) -> JSONValue {
    [
      "name": .string(localizer.text(title)), "url": .string(address),
      "icons": .array([icon(.icon192)]),
    ]
  }

  /// Returns the service worker with its texts in the language of the request: another language
  /// changes the script, so browsers update it automatically.
  @Sendable private static func worker(_ call: Call) -> Response {
    let words = String(decoding: WorkerText(localizer: call.localizer).json.bytes, as: UTF8.self)
    let script = "const words = \(words);\n\(PageAssets.worker)"
    return Response(
      status: .ok,
      headers: [
        .contentType: "text/javascript; charset=utf-8", .cacheControl: "no-cache",
        .vary: "Cookie, Accept-Language",
        .contentSecurityPolicy:
          "default-src 'none'; connect-src 'self'; base-uri 'none'; form-action 'none'",
      ],
      body: ResponseBody(byteBuffer: ByteBuffer(string: script)))
  }
}

/// The texts that the service worker needs while no page is open.
struct WorkerText: Sendable {
  let localizer: Localizer

  var json: JSONValue {
    [
      "language": .string(localizer.language.rawValue),
      "product": .string(localizer.text("parts.product")),
      "look": .string(localizer.text("ring.worker.look")),
      "taken": .string(localizer.text("ring.text.taken")),
      "later": .string(
        localizer.text("ring.worker.later", ["minutes": .number(RingModel.laterMinutes)])),
      "laterMinutes": .number(JSONNumber(RingModel.laterMinutes)),
      "kept": .string(localizer.text("ring.text.kept")),
      "waiting": .string(localizer.text("ring.worker.waiting")),
      "asked": .string(localizer.text("ring.worker.asked")),
      "answered": .string(localizer.text("ring.worker.answered")),
      "failed": .string(localizer.text("ring.worker.failed")),
      "pages": .array(OfflineRoutes.kept.map(JSONValue.string)),
      "icon": .string(PageAssets.picture(.icon192).path),
      "badge": .string(PageAssets.picture(.badge96).path),
    ]
  }
}
