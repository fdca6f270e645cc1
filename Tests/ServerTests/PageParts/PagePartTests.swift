// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Testing

@testable import Presentation
@testable import Web

@Suite("Page parts")
struct PagePartTests {
  @Test("every state has its own text and icon", arguments: Language.allCases)
  func stateWords(language: Language) {
    let localizer = Localizer.of(language)
    var words: Set<String> = []
    for state in StateChip.State.allCases {
      let plain = StateChip(state, localizer: localizer)
      let detailed = StateChip(state, detail: "08:04 <i>", localizer: localizer)
      words.insert(plain.text)
      #expect(plain.markup.text.contains("<svg"))
      // The times of a due dose are shown next to it, and nowhere else.
      if state == .due {
        #expect(detailed.text == plain.text)
        continue
      }
      #expect(detailed.text.contains("08:04 <i>"))
      #expect(detailed.markup.text.contains("08:04 &lt;i&gt;"))
    }
    #expect(words.count == StateChip.State.allCases.count)
  }

  @Test("a button in a list names its object for screen readers")
  func object() {
    let button = FormButton(
      "Taken", action: "/a?b=1&c=2", token: FormToken("t"), fields: [("action", "taken\"")],
      object: "Metoprolol <50>")
    let html = button.markup.text
    #expect(html.contains(#"action="/a?b=1&amp;c=2""#))
    #expect(html.contains(#"name="form-token" value="t""#))
    #expect(html.contains(#"name="action" value="taken&quot;""#))
    #expect(html.contains(#"<span class="visually-hidden"> Metoprolol &lt;50&gt;</span>"#))
  }

  @Test("the token field has the name that the CSRF check expects")
  func tokenName() {
    #expect(FormToken.fieldName == ForgeryGuard.field)
  }

  @Test("a dose without actions has no empty row of buttons")
  func doseWithoutActions() {
    let card = DoseCard(
      .done, time: "08:00", name: "Metoprolol",
      chip: StateChip(.cancelled, localizer: Localizer.of(.en)))
    #expect(!card.markup.text.contains("dose-actions"))
    #expect(card.markup.text.contains(#"<h3 class="dose-name">Metoprolol</h3>"#))
  }

  @Test("icons are hidden from assistive technology", arguments: Icon.allCases)
  func icons(icon: Icon) {
    #expect(icon.markup.text.contains(#"aria-hidden="true""#))
    #expect(icon.markup.text.hasSuffix("/></svg>"))
  }

  @Test("style, script and icon are part of the program, each with its own address")
  func assets() {
    for asset in PageAssets.all { #expect(!asset.bytes.isEmpty) }
    #expect(Set(PageAssets.all.map(\.path)).count == PageAssets.all.count)
    // Scripts of a first visit must stay under 15 KB as sent; compression leaves four tenths.
    #expect(PageAssets.script.bytes.count < 37_500)
    #expect((1...24_000).contains(PageAssets.worker.utf8.count))
  }

  @Test(
    "a picture is a PNG of the size that it is named for", arguments: PageAssets.Picture.allCases)
  func pictures(picture: PageAssets.Picture) throws {
    let asset = PageAssets.picture(picture)
    #expect(asset.mediaType == "image/png")
    #expect(Array(asset.bytes.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    let size = asset.bytes.dropFirst(16).prefix(8)
      .map { Int($0) }
    try #require(size.count == 8)
    #expect(size[2] * 256 + size[3] == picture.size)
    #expect(size[6] * 256 + size[7] == picture.size)
  }
}
