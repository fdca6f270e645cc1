// SPDX-License-Identifier: Apache-2.0

import Localization
import Testing

@testable import Knowledge

@Suite struct EmergencyRegionTests {
  @Test func `the emergency number matches the topics of the country`() throws {
    let topic = try #require(Handbook.shipped.topics.first { $0.audience == .children })
    #expect(Set(EmergencyRegion.allCases.compactMap(\.rules)) == Set(Region.allCases))
    for region in EmergencyRegion.allCases {
      guard let rules = region.rules else { continue }
      let number = try #require(region.ambulance)
      let said = Handbook.shipped.emergencyCard(for: topic, region: rules)
        .filter { $0.id.hasPrefix("numbers.emergency") }
      #expect(said.count == 1)
      for language in Language.allCases {
        #expect(said.allSatisfy { $0.text(in: language).contains(number) })
      }
    }
  }

  @Test func `an unknown country has no number`() {
    #expect(EmergencyRegion.allCases.filter { $0.ambulance == nil } == [.other])
  }
}
