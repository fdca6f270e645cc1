// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTML
import Localization
import Testing
import TestSupport

@testable import Server
@testable import Web

@Suite("Page layout")
struct PageLayoutTests {
  private func frame(_ language: Language = .en, signedIn: Bool = true) -> PageFrame {
    var frame = PageFrame(
      localizer: Localizer.of(language),
      visitor: signedIn
        ? .signedIn(
          personName: "Ingrid <b>", accountEmail: "ingrid@example.org", token: FormToken("t0ken"))
        : .signedOut,
      nonce: "n0nce", path: "/medicines?sort=name&q=å")
    frame.title = "Medicines & more"
    return frame
  }

  private func page(_ frame: PageFrame) -> String {
    PageLayout(frame, "<p>content</p>").markup.text
  }

  @Test("names its language and has one heading of level one", arguments: Language.allCases)
  func language(language: Language) {
    let html = page(frame(language))
    #expect(html.contains(#"<html lang="\#(language.rawValue)" dir="ltr""#))
    #expect(html.components(separatedBy: "<h1").count == 2)
    #expect(html.contains("Medicines &amp; more</h1>"))
    #expect(html.contains("Ingrid &lt;b&gt;"))
    #expect(!html.contains("parts."), "a text is missing")
  }

  @Test("puts the nonce on its style and script, and has no inline style or script")
  func policy() {
    let html = page(frame())
    #expect(html.components(separatedBy: #"nonce="n0nce""#).count == 3)
    #expect(!html.contains(" style="))
    #expect(!html.contains("<style"))
    #expect(html.components(separatedBy: "<script").count == 2)
  }

  @Test("shows navigation only to signed-in users")
  func visitors() {
    #expect(page(frame()).contains(#"id="navigation""#))
    #expect(page(frame()).contains(#"value="t0ken""#))
    let stranger = page(frame(signedIn: false))
    #expect(!stranger.contains(#"id="navigation""#))
    #expect(!stranger.contains(##"href="#navigation""##))
    #expect(!stranger.contains("/sign-out"))
  }

  @Test("marks only the tab of the current place", arguments: NavigationRole.allCases)
  func place(role: NavigationRole) {
    for item in NavigationItem.allCases {
      var frame = frame()
      frame.addresses = RegimenServer.navigation
      frame.role = role
      frame.place = item
      frame.path = frame.addresses[item]
      let html = page(frame)
      let tab = role.tab(of: item)
      #expect(role.tabs.contains(tab), "\(role) \(item)")
      // "page" on the page that the tab links to, "true" on the others of its place.
      let current = tab == item ? "page" : "true"
      #expect(html.components(separatedBy: "aria-current=\"").count == 2, "\(role) \(item)")
      #expect(
        html.contains(#"href="\#(frame.addresses[tab])" aria-current="\#(current)""#),
        "\(role) \(item)")
    }
  }

  @Test("each role has its own tabs, and its home is the first")
  func tabs() {
    #expect(NavigationRole.patient.tabs == [.today, .medicines, .progress, .people, .me])
    #expect(NavigationRole.viewer.tabs == [.today, .people, .me])
    #expect(NavigationRole.practitioner.tabs == [.patients, .inbox, .lookup, .me])
    for role in NavigationRole.allCases { #expect(role.tabs.first == role.home) }
    // A practitioner's own medicines are behind "Me"; a patient's belong to the patients.
    #expect(NavigationRole.practitioner.tab(of: .progress) == .me)
    #expect(NavigationRole.practitioner.tab(of: .progress, mayAct: false) == .patients)
  }

  @Test("visitors choose a language in the footer and return to the same page")
  func displayChoices() {
    let link = "/preferences?language=de&amp;return=/medicines%3Fsort%3Dname%26q%3D%C3%A5"
    #expect(page(frame(signedIn: false)).contains(link))
    #expect(!page(frame()).contains("/preferences"))
  }

  @Test("theme and text size are set only if chosen")
  func display() {
    var frame = frame()
    #expect(!page(frame).contains("data-theme"))
    #expect(!page(frame).contains("data-text-size"))
    frame.theme = .dark
    frame.textSize = .largest
    #expect(page(frame).contains(#"data-theme="dark" data-text-size="200""#))
  }

  @Test("the title of a page with errors begins with them")
  func errors() {
    var frame = frame()
    frame.hasErrors = true
    #expect(page(frame).contains("<title>Error: Medicines &amp; more"))
  }
}
