// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import SiteMap
import Web

/// The page that checks this device for reminders: the browser's abilities, the server's data, and
/// what no page can do.
struct DeviceView: PagePart {
  /// A device that push messages of the account reach.
  struct Device: Sendable, Hashable {
    let id: String
    /// The push service's name, with a detail that tells devices apart.
    let name: String
    /// The state of the device, in words.
    let notes: [String]
    /// The reason that the device is not relied on.
    let trouble: String?
    let isConfirmed: Bool
  }

  let devices: [Device]
  /// True if a tap on a test notification opened the page.
  let isAskedForTest: Bool
  let localizer: Localizer
  let token: FormToken
  /// True if the page came over plain http.
  let isPlain: Bool

  var markup: Markup {
    """
    <div class="stack-large">\(arrived)\(reach)\(checkList)\(list)\(limits)</div>
    """
  }

  private var arrived: Markup {
    guard isAskedForTest else { return Markup() }
    return """
      \(Notice(
        .success, title: text("arrived"),
        "<p><a href=\"#devices\">\(text("arrived-help"))</a></p>"))
      """
  }

  private var reach: Markup {
    guard isPlain else { return Markup() }
    return """
      \(Notice(.warning, title: text("plain-title"), "<p>\(text("plain-help"))</p>"))
      """
  }

  // MARK: This device

  private static let checks = ["permission", "push", "installed", "sound", "awake", "clock"]

  private var checkList: Markup {
    """
    \(Section(
      text("checks"), id: "this",
      """
      <noscript>\(Notice(.information, title: text("no-script")))</noscript>\
      \(rows(Self.checks))\
      <div class="buttons" data-script hidden>\
      <button type="button" class="button button-primary" id="enable" hidden>\(Icon.bell)\
      <span>\(text("enable"))</span></button>\
      <button type="button" class="button button-secondary" id="sound">\(Icon.bell)\
      <span>\(text("sound"))</span></button>\
      \(LinkButton(text("ring-page"), address: "/ring", icon: .clock))</div>
      """))
    """
  }

  /// Returns the list of checks that the script makes on this device.
  func rows(_ checks: [String]) -> Markup {
    """
    <ul class="checks" id="checks" role="list" data-script hidden>\(each: checks, check)</ul>
    """
  }

  /// Returns a row of the list; the script chooses one of its texts.
  private func check(_ name: String) -> Markup {
    let results = ["pass", "open", "fail", "none"].map { result in
      (result, localizer.text(MessageKey("device.check.\(name)"), ["result": .text(result)]))
    }
    return """
      <li class="check" data-check="\(name)" data-result="wait"\
      \(each: results, { " data-\($0.0)=\"\($0.1)\"" })>\
      <span class="check-icon">\(Icon.clock)\(Icon.check)\(Icon.warning)\(Icon.barInCircle)</span>\
      <span><strong>\(localizer.text(MessageKey("device.name.\(name)")))</strong><br>\
      <span role="status" data-words>\(text("wait"))</span></span></li>
      """
  }

  // MARK: All devices

  private var list: Markup {
    let content: Markup =
      devices.isEmpty
      ? "<p>\(text("none-yet"))</p>"
      : "<div class=\"stack\">\(each: devices, { card($0) })</div>"
    return "\(Section(text("devices"), id: "devices", content))"
  }

  /// Returns a device with the buttons that test, confirm and remove it.
  ///
  /// - Parameter page: The page to return to; nil for the page of all devices.
  func card(_ device: Device, returningTo page: DeviceReturn? = nil) -> Markup {
    let fields = page.map { [(name: DeviceReturn.field, value: $0.rawValue)] } ?? []
    return """
      <div class="card" data-device="\(device.id)"><h3 class="card-title">\(device.name)\
      <span class="muted" data-this hidden> (\(text("this")))</span></h3>\
      \(device.trouble.map { Notice(.warning, title: $0) })\
      \(each: device.notes, { "<p class=\"muted\">\($0)</p>" })\
      \(ButtonRow("""
      \(FormButton(
        text("test"), action: "/device/\(device.id)/test", token: token, fields: fields,
        kind: device.isConfirmed ? .secondary : .primary, icon: .bell, object: device.name))\
      \(FormButton(
        text("confirm"), action: "/device/\(device.id)/confirm", token: token, fields: fields,
        kind: .secondary, icon: .check, object: device.name))\
      \(FormButton(
        text("remove"), action: "/device/\(device.id)/remove", token: token, kind: .quiet,
        object: device.name))
      """))</div>
      """
  }

  // MARK: Limits

  private var limits: Markup {
    """
    \(Section(
      text("limits"), id: "limits",
      """
      \(platforms)\(LinkButton(localizer.text("trust.link"), address: Address.trust))
      """))
    """
  }

  /// The abilities, settings and limits of each kind of device; the script expands its own kind.
  var platforms: Markup {
    """
    <p>\(text("limits-lead"))</p>\
    \(each: ["android", "apple", "computer"], { name in
      """
      <div data-platform="\(name)">\(Disclosure(
        localizer.text(MessageKey("device.platform.\(name)")), help(name)))</div>
      """
    })
    """
  }

  private func help(_ platform: String) -> Markup {
    let lines = ["can", "do", "cannot"].map { part in
      localizer.text(MessageKey("device.help.\(platform)"), ["part": .text(part)])
    }
    return "<ul>\(each: lines, { "<li>\($0)</li>" })</ul>"
  }

  private func text(_ name: String) -> String {
    localizer.text(MessageKey("device.text.\(name)"))
  }
}
