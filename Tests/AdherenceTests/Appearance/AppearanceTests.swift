// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Dosing
@testable import Plans

/// The appearance of a medicine: valid combinations, storage and access.
@Suite struct AppearanceTests {
  private static func draft(
    _ shape: String, _ color: String = "", _ second: String = "", scored: Bool = false,
    _ imprint: String = ""
  ) -> AppearanceDraft {
    var draft = AppearanceDraft()
    draft.shape = shape
    draft.color = color
    draft.secondColor = second
    draft.isScored = scored
    draft.imprint = imprint
    return draft
  }

  @Test func `a valid description is stored unchanged`() throws {
    #expect(try Self.draft("").look() == nil)
    #expect(try Self.draft("", "", "", scored: false, "  ").look() == nil)
    let look = try #require(try Self.draft("capsule", "red", "white", " A \n 1\u{202E}0 ").look())
    #expect(look.shape == .capsule && look.colors == [.red, .white])
    #expect(look.imprint == "A 10" && !look.isScored)
    let tablet = try #require(try Self.draft("round", "white", scored: true).look())
    #expect(tablet.isScored && tablet.imprint == nil)
    #expect(try Self.draft("drops").look()?.colors == [])
  }

  @Test(arguments: [
    (draft("", "white"), [AppearanceIssue.shapeMissing]),
    (draft("", scored: true), [.shapeMissing]),
    (draft("", "", "", "X"), [.shapeMissing]), (draft("star"), [.unknown]),
    (draft("round", "mauve"), [.unknown]), (draft("round", "white", "mauve"), [.unknown]),
    (draft("capsule", "", "white"), [.secondColor]),
    (draft("capsule", "white", "white"), [.secondColor]),
    (draft("liquid", "red", "white"), [.twoColors]), (draft("capsule", scored: true), [.score]),
    (draft("patch", "", "", "X"), [.imprint]),
    (draft("round", "", "", String(repeating: "X", count: 21)), [.imprintTooLong]),
    (draft("cream", "red", "white", scored: true, "X"), [.twoColors, .score, .imprint]),
  ])
  func `contradictions are reported`(draft: AppearanceDraft, issues: [AppearanceIssue]) {
    #expect(throws: AppearanceProblem(issues: issues)) { try draft.look() }
  }

  @Test(arguments: 1...20)
  func `any accepted input follows the rules and reads back the same`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let shapes = MedicineShape.allCases.map(\.rawValue) + ["", "star"]
    let colors = MedicineColor.allCases.map(\.rawValue) + ["", "", "mauve"]
    let letters: [Character] = ["A", "1", " ", "\n", "é", "ก", "\u{0}", "\u{200F}", "<"]
    for _ in 0..<300 {
      let draft = Self.draft(
        shapes.randomElement(using: &random) ?? "", colors.randomElement(using: &random) ?? "",
        colors.randomElement(using: &random) ?? "", scored: Bool.random(using: &random),
        String(
          (0..<Int.random(in: 0...24, using: &random)).compactMap { _ in
            letters.randomElement(using: &random)
          }))
      guard let look = try? draft.look() else { continue }
      #expect(try AppearanceDraft(look).look() == look)
      #expect(look.shape.isMarked || (look.secondColor == nil && look.imprint == nil))
      #expect(look.shape.isTablet || !look.isScored)
      #expect(Set(look.colors).count == look.colors.count)
      let count = look.imprint?.count ?? 1
      #expect((1...MedicineAppearance.longestImprint).contains(count))
    }
  }

  @Test func `every appearance survives storage`() async throws {
    let place = try await TestPlace()
    let plan = try await place.add(.tablet(["08:00"]))
    let commands = AppearanceCommands(patient: TestPlace.patient, context: place.context)
    for shape in MedicineShape.allCases {
      let look = try MedicineAppearance(
        shape: shape, color: .white, secondColor: shape.isMarked ? .blue : nil,
        isScored: shape.isTablet, imprint: shape.isMarked ? "A <1>" : nil)
      let (kept, all) = try await place.database.write { writer in
        try commands.keep(look, ofPlan: plan.id, in: writer)
        return (
          try AppearanceQueries.one(ofPlan: plan.id, patient: TestPlace.patient, in: writer),
          try AppearanceQueries.all(of: TestPlace.patient, in: writer)
        )
      }
      #expect(kept == KnownAppearance(look: look) && all == [plan.id: kept])
    }
    let none = try await place.database.write { writer in
      try commands.keep(nil, ofPlan: plan.id, in: writer)
      return try AppearanceQueries.all(of: TestPlace.patient, in: writer)
    }
    #expect(none.isEmpty)
  }

  @Test func `an edit keeps the appearance, which is not in the prescription`() async throws {
    let place = try await TestPlace()
    let plan = try await place.add(.tablet(["08:00"]))
    let look = try MedicineAppearance(shape: .round, color: .white)
    let commands = AppearanceCommands(patient: TestPlace.patient, context: place.context)
    try await place.database.write { writer in
      try commands.keep(look, ofPlan: plan.id, in: writer)
    }
    let edited = try await place.edit(plan.id, .tablet(["09:00"]))
    let kept = try await place.database.read { reader in
      try AppearanceQueries.one(ofPlan: plan.id, patient: TestPlace.patient, in: reader)
    }
    #expect(kept.look == look && edited.id == plan.id)
    #expect(!edited.request.json.text.contains("round"))
  }

  @Test func `photos are sealed and limited in space`() async throws {
    let place = try await TestPlace()
    let plan = try await place.add(.tablet(["08:00"]))
    let commands = AppearanceCommands(patient: TestPlace.patient, context: place.context)
    let cipher = FieldCipher(
      keys: try KeyRing.generate { count in [UInt8](repeating: 9, count: count) })
    let secret = Array("unmistakable pixels".utf8)
    let pictures = MedicinePictures(large: secret, small: [1, 2], width: 4, height: 3)
    let (patient, id) = (TestPlace.patient, plan.id)
    let first = try await place.database.write { writer in
      try commands.keep(pictures, at: 2, ofPlan: id, cipher: cipher, in: writer)
    }
    let (known, large, small, other, stored) = try await place.database.read { reader in
      (
        try AppearanceQueries.one(ofPlan: id, patient: patient, in: reader),
        try AppearanceQueries.picture(first, .large, patient: patient, cipher: cipher, in: reader),
        try AppearanceQueries.picture(first, .small, patient: patient, cipher: cipher, in: reader),
        try AppearanceQueries.picture(first, .large, patient: "bob", cipher: cipher, in: reader),
        try reader.first("SELECT large_sealed FROM medicine_photos", [])?.blob(0)
      )
    }
    #expect(known.photos == [MedicinePhoto(id: first, place: 2, width: 4, height: 3)])
    #expect(large == secret && small == [1, 2] && other == nil)
    let sealed = String(decoding: try #require(stored), as: UTF8.self)
    #expect(!sealed.contains("unmistakable") && !sealed.contains("dW5taXN0YWthYmxl"))

    // Another one at the same position replaces the first.
    let second = try await place.database.write { writer in
      try commands.keep(pictures, at: 2, ofPlan: id, cipher: cipher, in: writer)
    }
    #expect(second != first)
    let gone = try await place.database.read { reader in
      try AppearanceQueries.picture(first, .large, patient: patient, cipher: cipher, in: reader)
    }
    #expect(gone == nil)

    let huge = MedicinePictures(
      large: [UInt8](repeating: 1, count: MedicinePhoto.mostBytes), small: [1], width: 1, height: 1)
    for (photo, at) in [(pictures, 0), (pictures, 4), (huge, 1)] {
      await #expect(throws: AppearanceError.self) {
        try await place.database.write { writer in
          try commands.keep(photo, at: at, ofPlan: id, cipher: cipher, in: writer)
        }
      }
    }
    try await place.database.write { writer in
      try commands.removePhoto(at: 2, ofPlan: id, in: writer)
      try commands.removePhoto(at: 2, ofPlan: id, in: writer)
    }
    let left = try await place.database.read { reader in
      try AppearanceQueries.photos(of: patient, in: reader).count
    }
    #expect(left == 0)
  }

  @Test func `no one describes another person's medicine`() async throws {
    let place = try await TestPlace()
    let plan = try await place.add(.tablet(["08:00"]))
    try await place.addPatient("bob", zone: "Europe/Berlin")
    let look = try MedicineAppearance(shape: .round)
    let strangers = AppearanceCommands(
      patient: TestPlace.patient, context: place.context(patients: ["bob"]))
    let ownOfNobody = AppearanceCommands(patient: "bob", context: place.context(patients: ["bob"]))
    for commands in [strangers, ownOfNobody] {
      await #expect(throws: AppearanceError.self) {
        try await place.database.write { writer in
          try commands.keep(look, ofPlan: plan.id, in: writer)
        }
      }
    }
    let all = try await place.database.read { reader in
      try AppearanceQueries.all(of: TestPlace.patient, in: reader)
    }
    #expect(all.isEmpty)
  }
}
