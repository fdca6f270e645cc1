// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file that pages refer to; its address changes with its content, so it may be cached for ever.
package struct PageAsset: Sendable {
  /// The path, such as `/assets/app.5f3a….css`.
  package let path: String
  /// The media type with its character set.
  package let mediaType: String
  /// The content; text is in UTF-8.
  package let bytes: [UInt8]
  /// The compression of the bytes, as the `Content-Encoding` field names it; nil for none.
  package let encoding: String?

  fileprivate init(
    name: String, suffix: String, mediaType: String, bytes: [UInt8], encoding: String? = nil
  ) {
    self.bytes = bytes
    self.mediaType = mediaType
    self.encoding = encoding
    path = "/assets/\(name).\(Self.fingerprint(of: bytes)).\(suffix)"
  }

  /// FNV-1a of 64 bits: distinguishes builds, without any security.
  private static func fingerprint(of bytes: [UInt8]) -> String {
    let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
    return String(hash, radix: 16)
  }
}

/// The style, script and icons of every page, joined once from the files in `Assets`.
package enum PageAssets {
  /// The style sheet: `Assets/styles`, in the order of the file names.
  package static let style = PageAsset(
    name: "app", suffix: "css", mediaType: "text/css; charset=utf-8",
    bytes: Array(joined("Assets/styles/").utf8))
  /// The script: `Assets/scripts`, each file in a scope of its own.
  package static let script = PageAsset(
    name: "app", suffix: "js", mediaType: "text/javascript; charset=utf-8",
    bytes: Array(bare(joined("Assets/scripts/", before: "{\n", after: "}\n")).utf8))
  /// The script of pages that preview doses while a schedule is typed: one module of several files.
  package static let planning = PageAsset(
    name: "planning", suffix: "js", mediaType: "text/javascript; charset=utf-8",
    bytes: Array(joined("Assets/planning/").utf8))
  /// The script of an open conversation.
  package static let chat = PageAsset(
    name: "chat", suffix: "js", mediaType: "text/javascript; charset=utf-8",
    bytes: Array(bare(joined("Assets/chat/")).utf8))
  /// The script of alarm pages: `Assets/ring`, each file in a scope of its own.
  package static let ring = PageAsset(
    name: "ring", suffix: "js", mediaType: "text/javascript; charset=utf-8",
    bytes: Array(bare(joined("Assets/ring/", before: "{\n", after: "}\n")).utf8))
  /// The script of the medicine search, which shows results while the person types.
  package static let search = PageAsset(
    name: "search", suffix: "js", mediaType: "text/javascript; charset=utf-8",
    bytes: Array(joined("Assets/search/").utf8))
  /// The script of the steps that add a medicine: buttons for an amount, and fields that depend on
  /// an answer.
  package static let steps = PageAsset(
    name: "steps", suffix: "js", mediaType: "text/javascript; charset=utf-8",
    bytes: Array(bare(joined("Assets/steps/")).utf8))
  /// The script of a practitioner's table of patients: keyboard control.
  package static let desk = PageAsset(
    name: "desk", suffix: "js", mediaType: "text/javascript; charset=utf-8",
    bytes: Array(bare(joined("Assets/desk/")).utf8))
  /// The script of a message to the operator, whose draft stays on the device.
  package static let draft = PageAsset(
    name: "draft", suffix: "js", mediaType: "text/javascript; charset=utf-8",
    bytes: Array(joined("Assets/draft/").utf8))
  /// The script of forms that are queued offline and opened again if they are refused.
  package static let entries = PageAsset(
    name: "entries", suffix: "js", mediaType: "text/javascript; charset=utf-8",
    bytes: Array(bare(joined("Assets/entries/")).utf8))
  /// The script of a sticker's page on a phone that logs at once.
  package static let sticker = PageAsset(
    name: "sticker", suffix: "js", mediaType: "text/javascript; charset=utf-8",
    bytes: Array(bare(joined("Assets/sticker/")).utf8))
  /// The engine of schedules for browsers, built by Scripts/browser-module and kept compressed.
  package static let schedulingModule = PageAsset(
    name: "scheduling", suffix: "wasm", mediaType: "application/wasm",
    bytes: binary("Assets/planning/scheduling.wasm.gz"), encoding: "gzip")
  /// The icon of the browser's tab.
  package static let icon = PageAsset(
    name: "icon", suffix: "svg", mediaType: "image/svg+xml",
    bytes: Array(joined("Assets/icons/icon.svg").utf8))

  /// The icons that systems show, drawn by Scripts/make-icons.
  package enum Picture: String, CaseIterable, Sendable {
    /// The logo with its own rounded background.
    case icon192 = "icon-192"
    case icon512 = "icon-512"
    /// The logo on a background to the edges, for systems that cut out a shape.
    case maskable512 = "maskable-512"
    case appleTouch = "apple-touch-icon"
    /// One colour, for a status bar.
    case badge96 = "badge-96"

    /// Width and height in pixels.
    package var size: Int {
      switch self {
      case .icon192: 192
      case .icon512, .maskable512: 512
      case .appleTouch: 180
      case .badge96: 96
      }
    }
  }

  /// Returns the file of a picture.
  package static func picture(_ picture: Picture) -> PageAsset { pictures[picture] ?? icon }

  /// All files that are served under `/assets`.
  package static let all =
    [
      style, script, planning, chat, ring, search, steps, desk, draft, entries, sticker,
      schedulingModule, icon,
    ]
    + Picture.allCases.map(picture)

  private static let pictures = Dictionary(
    uniqueKeysWithValues: Picture.allCases.map { ($0, read($0)) })

  private static func read(_ picture: Picture) -> PageAsset {
    PageAsset(
      name: picture.rawValue, suffix: "png", mediaType: "image/png",
      bytes: binary("Assets/icons/\(picture.rawValue).png"))
  }

  private static func binary(_ path: String) -> [UInt8] {
    let base64 = EmbeddedResources.binaries.first { $0.path == path }?.base64 ?? ""
    return Data(base64Encoded: base64).map { Array($0) } ?? []
  }

  /// The service worker without the texts that the server puts before it.
  package static let worker = bare(joined("Assets/worker/"))

  /// Returns a script without comments and indentation, to save bytes for every visitor.
  private static func bare(_ script: String) -> String {
    script.split(separator: "\n").map { $0.drop { $0 == " " } }
      .filter { !$0.hasPrefix("//") }.joined(separator: "\n")
  }

  private static func joined(_ prefix: String, before: String = "", after: String = "") -> String {
    EmbeddedResources.files.filter { $0.path.hasPrefix(prefix) }
      .sorted { $0.path < $1.path }
      .map { before + $0.content + after }.joined(separator: "\n")
  }
}
