// SPDX-License-Identifier: Apache-2.0

import Access
import HTML
import Hummingbird
import HummingbirdTesting
import Identifiers
import Localization
import Testing

@testable import People
@testable import Server
@testable import Web

/// A part that shows its name at every place of the frame.
private enum EveryPlace: FramePart {
  static let places: [FramePiece.Place] = [
    .head, .banner, .belowTitle, .personSwitcher, .navigation(.progress), .footerTop, .footer,
  ]

  static func pieces(for call: Call) -> [FramePiece] {
    places.map(piece)
  }

  static func piece(at place: FramePiece.Place) -> FramePiece {
    let name = String(describing: place)
    return FramePiece(place) { frame in "<!-- \(name): \(frame.title) -->" }
  }

  static func mark(_ place: FramePiece.Place, _ title: String) -> String {
    "<!-- \(String(describing: place)): \(title) -->"
  }
}

@Suite struct FramePartTests {
  /// Returns the frame of two people, with pieces at every place.
  private func page() -> String {
    var frame = PageFrame(
      localizer: .of(.en),
      visitor: .signedIn(personName: "Ann", accountEmail: "ann@example.org", token: FormToken("t")),
      nonce: "n", path: "/")
    frame.title = "Title"
    frame.people = ["a", "b"].map {
      PersonInReach(
        patient: PatientID($0), name: $0, label: PersonLabel(), right: PatientRight(.guardian),
        isOwn: $0 == "a")
    }
    frame.person = frame.people.first
    frame.addresses = RegimenServer.navigation
    frame.pieces = EveryPlace.places.map(EveryPlace.piece)
    return PageLayout(frame, "<p>content</p>").markup.text
  }

  @Test func `each piece appears once, in its place`() throws {
    let page = page()
    func at(_ text: String) throws -> String.Index {
      let ranges = page.ranges(of: text)
      try #require(ranges.count == 1, "\(text)")
      return ranges[0].lowerBound
    }
    func mark(_ place: FramePiece.Place) throws -> String.Index {
      try at(EveryPlace.mark(place, "Title"))
    }
    let order = [
      try at("rel=\"apple-touch-icon\""), try mark(.head), try at("rel=\"stylesheet\""),
      try at("class=\"person-choices\""), try mark(.personSwitcher), try at("<main"),
      try mark(.banner), try at("class=\"page-title\""), try mark(.belowTitle), try at("<footer"),
      try mark(.footerTop), try at("class=\"footer-line\""), try mark(.footer),
      try at("id=\"navigation\""), try at("href=\"/progress\""),
      try mark(.navigation(.progress)), try at("</body>"),
    ]
    #expect(order == order.sorted())
  }

  @Test func `a registered part is on every page`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount())
      let environment = harness.environment
      let table = try RouteTable(
        routes: RegimenServer(environment: environment).routes, environment: environment,
        parts: RequestParts(frame: [EveryPlace.self]))
      try await Application(router: table.router(), logger: environment.logger).test(.router) {
        client in
        for address in ["/", "/medicines", "/nowhere"] {
          let page = try await client.executeRequest(
            uri: address, method: .get, headers: browser.headers, body: nil
          ).text
          for place in [FramePiece.Place.head, .banner, .navigation(.progress), .footer] {
            let mark = "<!-- \(String(describing: place)): "
            #expect(page.contains(mark), "\(address) \(mark)")
          }
        }
      }
      #expect(try await !browser.open("/").text.contains("<!-- "))
    }
  }

  @Test func `the server registers every part once`() {
    let names = RegimenServer.requestParts.frame.map { "\($0)" }
    #expect(
      names == [
        "WebAppLink", "BackupBanner", "FaultBanner", "EmergencyBanner", "NewMessages",
        "SharedPersonTabs", "SearchPart", "CareTeamLink", "PeopleLink", "PlainHTTPNote",
        "FooterLinks",
      ])
  }
}
