// SPDX-License-Identifier: Apache-2.0

/// A file that pages refer to; its address changes with its content, so it may be cached for ever.
package struct PageAsset: Sendable {
  /// The path, `/assets/app.5f3a….css`.
  package let path: String
  /// The media type with its character set.
  package let mediaType: String
  /// The content in UTF-8.
  package let bytes: [UInt8]

  fileprivate init(name: String, suffix: String, mediaType: String, text: String) {
    bytes = Array(text.utf8)
    self.mediaType = mediaType
    path = "/assets/\(name).\(Self.fingerprint(of: bytes)).\(suffix)"
  }

  /// FNV-1a of 64 bits: tells two builds apart, protects nothing.
  private static func fingerprint(of bytes: [UInt8]) -> String {
    let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
    return String(hash, radix: 16)
  }
}

/// The style, script and icon of every page, joined once from the files in `Assets`.
package enum PageAssets {
  /// The style sheet: `Assets/styles`, in the order of the file names.
  package static let style = PageAsset(
    name: "app", suffix: "css", mediaType: "text/css; charset=utf-8", text: joined("Assets/styles/")
  )
  /// The script: `Assets/scripts`, each file in a scope of its own.
  package static let script = PageAsset(
    name: "app", suffix: "js", mediaType: "text/javascript; charset=utf-8",
    text: joined("Assets/scripts/", before: "{\n", after: "}\n"))
  /// The icon of the browser's tab.
  package static let icon = PageAsset(
    name: "icon", suffix: "svg", mediaType: "image/svg+xml", text: joined("Assets/icons/icon.svg"))

  /// Everything that is served under `/assets`.
  package static let all = [style, script, icon]

  private static func joined(_ prefix: String, before: String = "", after: String = "") -> String {
    EmbeddedResources.files.filter { $0.path.hasPrefix(prefix) }
      .sorted { $0.path < $1.path }
      .map { before + $0.content + after }.joined(separator: "\n")
  }
}
