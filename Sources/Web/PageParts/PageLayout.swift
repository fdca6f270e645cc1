// SPDX-License-Identifier: Apache-2.0

import HTML
import Identifiers
import Localization
import Storage

/// A whole document: the frame around the content of a page.
package struct PageLayout: PagePart {
  /// The id of the main part, where the first skip link leads.
  static let mainID = "main"

  private let frame: PageFrame
  private let content: Markup

  /// Creates a document; the content starts below the heading and has no heading of level one.
  package init(_ frame: PageFrame, _ content: Markup) {
    self.frame = frame
    self.content = content
  }

  /// The document.
  package var markup: Markup {
    """
    <!DOCTYPE html>
    <html lang="\(localizer.language.rawValue)" dir="\(localizer.language.direction)"\
    \(Markup.attribute("data-theme", theme))\(Markup.attribute("data-text-size", textSize))\
    \(Markup.attribute("data-seconds-fresh", frame.secondsFresh.map { String($0) }))\
    \(if: frame.isLive, " data-live")\
    \(Markup.attribute("data-changes", frame.changes))\
    \(Markup.attribute("data-account", frame.account?.id))\
    \(Markup.attribute("data-account-name", frame.account?.name))\
    \(Markup.attribute("data-person", frame.account == nil ? nil : frame.person?.patient.text))\
    \(Markup.attribute("data-offline", frame.account?.offline))\
    \(Markup.attribute("data-made", copyable.map { String($0.made.milliseconds) }))\
    \(Markup.attribute("data-signed-out", frame.isSignedOut))\
    \(Markup.attribute("data-erased", frame.erased))>\
    <head><meta charset="utf-8">\
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">\
    <title>\(documentTitle)</title>\
    <meta name="color-scheme" content="light dark">\
    <link rel="icon" href="\(PageAssets.icon.path)" type="image/svg+xml">\
    <link rel="apple-touch-icon" href="\(PageAssets.picture(.appleTouch).path)">\
    \(frame.pieces(at: .head))\
    <link rel="stylesheet" href="\(PageAssets.style.path)" nonce="\(frame.nonce)">\
    <script type="module" src="\(PageAssets.script.path)" nonce="\(frame.nonce)"></script>\
    \(each: frame.scripts, script)</head>
    <body><div class="page \(if: isSignedIn, "page-with-navigation", else: "page-alone")">
    \(PageHeader(frame: frame))
    <main class="page-main" id="\(Self.mainID)" tabindex="-1">\(demo)\(visit)\(frame.pieces(at: .banner))\(frame.flash)\(back)\(title)
    \(content)
    </main>
    \(PageFooter(frame: frame))
    \(if: isSignedIn, NavigationBar(frame: frame).markup)
    </div></body></html>

    """
  }

  private var localizer: Localizer { frame.localizer }

  /// The account if the device may copy the page.
  private var copyable: PageFrame.Holder? {
    frame.account.flatMap { $0.offline == nil ? nil : $0 }
  }

  private var isSignedIn: Bool {
    if case .signedIn = frame.visitor { true } else { false }
  }

  private func script(_ asset: PageAsset) -> Markup {
    "<script type=\"module\" src=\"\(asset.path)\" nonce=\"\(frame.nonce)\"></script>"
  }

  private var theme: String? {
    frame.theme == .automatic ? nil : frame.theme.rawValue
  }

  private var textSize: String? {
    frame.textSize == .normal ? nil : String(frame.textSize.rawValue)
  }

  private var documentTitle: String {
    localizer.text(
      frame.hasErrors ? "parts.document.title-with-errors" : "parts.document.title",
      ["title": .text(frame.title)])
  }

  private var demo: Markup {
    guard frame.isDemo else { return Markup() }
    return "<p class=\"demo-banner\">\(localizer.text("parts.demo"))</p>"
  }

  /// The line that names the page's person, if the device has chosen another one.
  private var visit: Markup {
    guard let chosen = frame.chosenPerson, let person = frame.person else { return Markup() }
    let text = localizer.text(
      "parts.visit",
      [
        "name": .text(person.calledName), "chosen": .text(chosen.calledName),
        "own": .text(chosen.isOwn ? "yes" : "no"),
      ])
    return "<p class=\"visit-line\">\(Icon.person)<span>\(text)</span></p>"
  }

  private var back: Markup {
    guard let link = frame.back else { return Markup() }
    return """
      <a class="back-link" href="\(link.address)">\(Icon.arrowLeft)<span>\(link.label)</span></a>
      """
  }

  private var title: Markup {
    """
    <div class="page-title"><h1 id="page-title">\(frame.title)</h1>\
    \(frame.lead.map { "<p class=\"lead\">\($0)</p>" as Markup })</div>\(frame.pieces(at: .belowTitle))
    """
  }
}

extension Language {
  /// The value of `dir`; all current languages are written from left to right.
  fileprivate var direction: Markup {
    switch self {
    case .en, .de, .nb, .th, .tr: "ltr"
    }
  }
}
