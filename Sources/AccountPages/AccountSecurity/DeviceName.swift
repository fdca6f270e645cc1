// SPDX-License-Identifier: Apache-2.0

/// Browser and system out of what browsers say of themselves; names only, the same in all languages.
enum DeviceName {
  /// Such as `Firefox, Android`; empty where nothing is known.
  static func words(of userAgent: String) -> String {
    [first(browsers, in: userAgent), first(systems, in: userAgent)].compactMap(\.self)
      .joined(separator: ", ")
  }

  // In this order: later ones are also named by those before them.
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
