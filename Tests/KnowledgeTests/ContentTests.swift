// SPDX-License-Identifier: Apache-2.0
import Foundation
import Localization
import Testing

@testable import Knowledge

@Suite struct ContentTests {
  @Test func whatShipsHasNoFaults() {
    #expect(Handbook.shipped.faults.isEmpty, "\(Handbook.shipped.faults.prefix(20))")
    #expect(Handbook.shipped.topics.count == 13)
    #expect(Handbook.shipped.medicines.count == 210)
    #expect(Handbook.shipped.interactions.count == 119)
  }

  @Test(arguments: Region.allCases)
  func everyChildrensTopicHasItsSectionsInEveryRegion(region: Region) {
    for topic in Handbook.shipped.topics where topic.audience == .children {
      let card = Handbook.shipped.emergencyCard(for: topic, region: region)
      #expect(card.contains { $0.id.hasPrefix("numbers.") })
      #expect(card.contains { $0.id.hasPrefix("danger.") })
      for section in [TopicSection.symptoms, .home, .medicine, .doNot, .help] {
        #expect(!topic.statements(in: section, region: region).isEmpty, "\(topic.id) \(section)")
      }
    }
  }

  @Test(arguments: Region.allCases)
  func aPageNeverShowsAnotherRegion(region: Region) {
    for topic in Handbook.shipped.topics {
      let shown =
        Handbook.shipped.emergencyCard(for: topic, region: region)
        + TopicSection.allCases.flatMap { topic.statements(in: $0, region: region) }
      for statement in shown where statement.id.contains("@") {
        #expect(statement.id.hasSuffix("@\(region.rawValue)"))
      }
    }
  }

  @Test func adultsSeeNumbersAndNoDangerSignsOfChildren() throws {
    let topic = try #require(Handbook.shipped.topic("heart-failure"))
    let card = Handbook.shipped.emergencyCard(for: topic, region: .th)
    #expect(card.contains { $0.id == "numbers.emergency@th" })
    #expect(!card.contains { $0.id.hasPrefix("danger.") })
  }

  @Test func nothingIsReviewedYetAndSaysSo() {
    for statement in Handbook.shipped.topics.flatMap(\.statements) {
      for language in Language.allCases {
        #expect(statement.translationReview(in: language) == .unreviewed)
      }
    }
  }

  /// A line of a shipped file with an injected fault, and the expected problem.
  struct Planted: Sendable, CustomTestStringConvertible {
    let path: String
    let old: String
    let new: String
    let complaint: String
    var testDescription: String { complaint }
  }

  static let planted: [Planted] = [
    Planted(
      path: "topics/fever.topic",
      old: "[fever.viral]\nsection = symptoms\nregion = all\nsources = S8",
      new: "[fever.viral]\nsection = symptoms\nregion = all\nsources =", complaint: "no source"),
    Planted(
      path: "topics/fever.topic",
      old: "[fever.viral]\nsection = symptoms\nregion = all\nsources = S8",
      new: "[fever.viral]\nsection = symptoms\nregion = all\nsources = S999",
      complaint: "no source S999"),
    Planted(
      path: "topics/fever.topic", old: "region = uk\nsources = S1\n",
      new: "region = uk\nsources = S30\n", complaint: "source S30 is of another region"),
    Planted(
      path: "topics/fever.topic", old: "[fever.sponging@uk]\nsection = home\nregion = uk",
      new: "[fever.sponging@uk]\nsection = home\nregion = th", complaint: "must end in @"),
    Planted(
      path: "topics/fever.topic", old: "[fever.sponging@uk]\nsection = home\nregion = uk",
      new: "[fever.sponging]\nsection = home\nregion = all",
      complaint: "for all regions and for one"),
    Planted(
      path: "topics/fever.topic", old: "tr = Ateş", new: "tr =", complaint: "no title in tr"),
    Planted(
      path: "topics/colic.topic", old: "nb = Rist aldri en baby.", new: "nb =",
      complaint: "no text in nb"),
    Planted(
      path: "topics/colic.topic", old: "[colic.shake]", new: "[colic.turns]",
      complaint: "colic.turns appears twice"),
    Planted(
      path: "topics/colic.topic", old: "[colic.shake]", new: "[fever.shake]",
      complaint: "not of colic"),
    Planted(
      path: "topics/colic.topic", old: "review = unreviewed", new: "review = yes",
      complaint: "review is missing or unknown"),
    Planted(
      path: "topics/fever.topic", old: "sources = N1\nfacts = named",
      new: "sources = N1\nfacts = read", complaint: "says read, but a source was not read"),
    Planted(
      path: "topics/fever.topic", old: "compiled = 2026-11-22", new: "compiled = soon",
      complaint: "expected [topic]"),
    Planted(
      path: "doses.table", old: "row = 3 6 60 60\n", new: "row = 2 6 60 60\n",
      complaint: "rows overlap"),
    Planted(
      path: "doses.table", old: "row = 3 6 60 60\n", new: "row = 3 6 60\n",
      complaint: "row not understood"),
    Planted(
      path: "doses.table", old: "sources = S30", new: "sources = S1",
      complaint: "source S1 is of another region"),
    Planted(
      path: "doses.table", old: "day-sources = S32\n", new: "",
      complaint: "the day's maximum has no source"),
    Planted(
      path: "contraindications.table", old: "statement = fever.aspirin@us",
      new: "statement = fever.aspirin@uk",
      complaint: "its reason is of another region"),
    Planted(
      path: "contraindications.table", old: "statement = giving-medicine.codeine",
      new: "statement = nothing",
      complaint: "no statement nothing"),
    Planted(
      path: "contraindications.table", old: "ingredients = codeine", new: "ingredients = kodein",
      complaint: "no medicine has kodein"),
    Planted(
      path: "medicines.table", old: "\twith-food\t", new: "\twith-beer\t",
      complaint: "known food rule"),
    Planted(
      path: "medicines.table", old: "stand up slowly", new: "stand up quickly",
      complaint: "not in phrases.table: stand up quickly"),
    Planted(
      path: "interactions.table", old: "\tsevere\t", new: "\tbad\t", complaint: "known severity"),
    Planted(
      path: "phrases.table", old: "asthma\tAsthma\t", new: "asthma\t", complaint: "each language"),
    Planted(
      path: "sources.table", old: "S1\tuk\t", new: "S1\tfr\t", complaint: "no such region"),
  ]

  @Test(arguments: planted)
  func aPlantedFaultIsFound(fault: Planted) throws {
    var files = EmbeddedResources.files
    let path = "Catalogues/\(fault.path)"
    let index = try #require(files.firstIndex { $0.path == path })
    let content = files[index].content
    let range = try #require(content.range(of: fault.old), "the line is not there any more")
    files[index].content = content.replacingCharacters(in: range, with: fault.new)
    let found = Handbook(files: files).faults.map(\.description)
    #expect(found.contains { $0.contains(fault.complaint) }, "\(found)")
  }
}
