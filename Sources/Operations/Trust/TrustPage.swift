// SPDX-License-Identifier: Apache-2.0

import HTML
import Hummingbird
import Localization
import SiteMap
import Web

/// The page with the steps to trust the home's certificate authority, for each platform.
package struct TrustPage: Sendable {
  let home: HomeCertificates?

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("trust.title")
    frame.place = .me
    guard let home else {
      frame.lead = localizer.text("trust.not-needed")
      return call.page(frame, Markup())
    }
    frame.lead = localizer.text("trust.lead")
    return call.page(frame, content(home, address: call.baseURL, localizer))
  }

  private func content(
    _ home: HomeCertificates, address: String, _ localizer: Localizer
  ) -> Markup {
    let name = MessageArgument.text(home.authority.name)
    return """
      <div class="stack-large"><div class="stack">\
      <p>\(localizer.text("trust.what", ["name": name]))</p>\
      <p>\(localizer.text("trust.first-visit"))</p></div>\
      \(fingerprint(home.authority, localizer))\
      \(Section(localizer.text("trust.steps"), platforms(name: name, localizer)))\
      \(picture(of: address + Address.trust, localizer))</div>
      """
  }

  private func fingerprint(_ authority: HomeAuthority, _ localizer: Localizer) -> Markup {
    """
    \(Section(localizer.text("trust.compare"), """
      <p>\(localizer.text("trust.compare-why"))</p>\
      <p class="fingerprint" translate="no">\(Self.grouped(authority.fingerprint))</p>
      """))
    """
  }

  /// Eight bytes per group; a narrow phone shows the groups one below the other.
  private static func grouped(_ fingerprint: String) -> Markup {
    let bytes = fingerprint.split(separator: ":")
    return Markup.joined(
      stride(from: 0, to: bytes.count, by: 8).map { start in
        "<span>\(bytes[start..<min(start + 8, bytes.count)].joined(separator: ":"))</span>"
      }, separator: " ")
  }

  private func platforms(name: MessageArgument, _ localizer: Localizer) -> Markup {
    Markup.joined(
      TrustPlatform.allCases.map { platform in
        let steps = (1...platform.steps).map { number -> Markup in
          let key = MessageKey("trust.\(platform.rawValue).\(number)")
          return "<li>\(localizer.text(key, ["name": name]))</li>"
        }
        return Disclosure(
          localizer.text(MessageKey("trust.\(platform.rawValue).name")),
          """
          \(LinkButton(
            localizer.text(platform.download), address: platform.address, icon: .download,
            object: localizer.text(MessageKey("trust.\(platform.rawValue).name"))))\
          <ol class="steps" role="list">\(steps)</ol>
          """
        ).markup
      })
  }

  private func picture(of address: String, _ localizer: Localizer) -> Markup {
    let label = localizer.text("trust.code", ["address": .text(address)])
    return Section(
      localizer.text("trust.other-device"),
      """
      <p>\(localizer.text("trust.other-device-how"))</p>\
      \(LinkPicture(address, label: label))<p class="break-anywhere">\(address)</p>
      """
    ).markup
  }
}

/// A platform with its own certificate store.
enum TrustPlatform: String, CaseIterable, Sendable {
  case apple, android, windows, mac, firefox, linux

  /// The number of steps in the catalogues.
  var steps: Int {
    switch self {
    case .apple: 5
    case .android: 4
    case .windows: 4
    case .mac: 4
    case .firefox: 4
    case .linux: 3
    }
  }

  /// The address of the download: iPhones install certificates from profiles.
  var address: String {
    self == .apple ? TrustRoutes.profilePath : TrustRoutes.authorityPath
  }

  var download: MessageKey {
    self == .apple ? "trust.download-profile" : "trust.download"
  }
}
