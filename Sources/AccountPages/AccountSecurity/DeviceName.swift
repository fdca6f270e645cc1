// SPDX-License-Identifier: Apache-2.0

/// Names the browser and system from a user agent; names only, the same in all languages.
enum DeviceName {
  /// Returns a name such as `Firefox, Android`; empty if unknown.
  static func words(of userAgent: String) -> String {
    [first(browsers, in: userAgent), first(systems, in: userAgent)].compactMap(\.self)
      .joined(separator: ", ")
  }

  // The order matters: user agents of later ones also contain the names of earlier ones.
  private static let browsers = [
    ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"), ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"),
    ("Safari", "Safari"),
  ]
  private static let systems = [
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"),
    ("Windows", "Windows"), ("Mac OS X", "Mac"), ("Linux", "Linux"),
  ]

  private static func first(_ names: [(String, String)], in text: String) -> String? {
    names.first { text.contains($0.0) }?.1
  }
}
