// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import HTML
import HTTPTypes
import HummingbirdTesting
import Knowledge
import Localization
import Testing

@testable import MedicinePages
@testable import Web

@Suite struct KnowledgePageTests {
  private let texts = Localizer.of(.en)
  private let handbook = Handbook.shipped

  @Test func `the list links to every topic, and the search to a medicine`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: try await harness.makeAccount())
      let list = try await browser.open("/knowledge").text
      for topic in handbook.topics {
        #expect(list.contains("href=\"/knowledge/topics/\(topic.id)\""))
      }
      let found = try await browser.open("/knowledge?q=paracetmol").text
      #expect(found.contains("href=\"/knowledge/medicines/m001\""))
      #expect(found.contains(texts.text("knowledge.guess")))
      let nothing = try await browser.open("/knowledge?q=qqqqqqqq").text
      #expect(nothing.contains(texts.text("knowledge.no-results")))
      #expect(try await browser.open("/medicines").text.contains("href=\"/knowledge\""))
    }
  }

  @Test func `input is shown as text`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: try await harness.makeAccount())
      let page = try await browser.open("/knowledge?q=%3Cscript%3Ealert(1)%3C/script%3E").text
      #expect(!page.contains("<script>alert"))
      #expect(page.contains("&lt;script"))
    }
  }

  @Test func `suggestions match the search results`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: try await harness.makeAccount())
      for (asked, id, found) in [
        ("paracetmol", "m001", nil), ("Calpol", "m001", "Calpol"),
        ("พาราเซตามอล", "m001", "พาราเซตามอล"),
      ] as [(String, String, String?)] {
        let answer = try await browser.open("/knowledge/search.json?q=\(QueryText.encode(asked))")
        let medicines = try answer.json()["medicines"]?.array ?? []
        let hit = medicines.first { $0["address"]?.string == "/knowledge/medicines/\(id)" }
        #expect(hit != nil, "\(asked)")
        #expect(hit?["found"]?.string == found, "\(asked)")
        #expect(medicines.count <= 8)
      }
      let none = try await browser.open("/knowledge/search.json").json()
      #expect(none["medicines"]?.array?.isEmpty == true)
    }
  }

  @Test func `a topic starts with its emergency card and shows one region`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: try await harness.makeAccount())
      for topic in handbook.topics {
        let page = try await browser.open(KnowledgeRoutes.address(topic))
        #expect(page.status == .ok)
        let main = page.text.components(separatedBy: "<h1").last ?? ""
        let headings = main.components(separatedBy: "<h2").dropFirst()
        #expect(headings.first?.contains(texts.text("knowledge.emergency")) == true)
        #expect(main.contains(texts.text("knowledge.unreviewed")))
        // Many countries speak English, so there is no number before one is chosen.
        #expect(main.contains(texts.text("knowledge.emergency-number")))
        for region in Region.allCases {
          let number = handbook.statement("numbers.emergency@\(region.rawValue)")
          #expect(!main.contains(number?.text(in: .en) ?? "-"), "\(region)")
        }
      }
      #expect(try await browser.open("/knowledge/topics/numbers").status == .notFound)
      #expect(try await browser.open("/knowledge/topics/nothing").status == .notFound)
    }
  }

  @Test func `a medicine lists its interactions and their sources`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: try await harness.makeAccount())
      for number in stride(from: 0, to: handbook.medicines.count, by: 10) {
        let medicine = handbook.medicines[number]
        let page = try await browser.open(KnowledgeRoutes.address(medicine))
        #expect(page.status == .ok)
        #expect(page.text.contains("id=\"sources\""))
        let links = medicine.source.links.map { Markup(text: $0).text }
        #expect(links.allSatisfy { page.text.contains($0) }, "\(medicine.name)")
      }
      let warfarin = try await browser.open("/knowledge/medicines/m156").text
      #expect(warfarin.contains(texts.text("knowledge.severity", ["severity": "severe"])))
      #expect(try await browser.open("/knowledge/medicines/m999").status == .notFound)
    }
  }
}
