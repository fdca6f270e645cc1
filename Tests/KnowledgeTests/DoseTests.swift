// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Knowledge

@Suite struct DoseTests {
  static let handbook = Handbook.shipped
  static let approvals = handbook.doseTables.map {
    TableApproval(table: $0.id, version: $0.version, by: "Dr Test", day: "2026-11-22")
  }

  /// A row of a table as stated by its source: from and below in the table's measure.
  struct Row: Sendable {
    let table: String
    let from: Double
    let below: Double?
    let milligrams: String
    let millilitres: String
  }

  static let rows: [Row] = [
    Row(table: "paracetamol-uk-120", from: 2, below: 3, milligrams: "60", millilitres: "2.5"),
    Row(table: "paracetamol-uk-120", from: 3, below: 6, milligrams: "60", millilitres: "2.5"),
    Row(table: "paracetamol-uk-120", from: 6, below: 24, milligrams: "120", millilitres: "5"),
    Row(table: "paracetamol-uk-120", from: 24, below: 48, milligrams: "180", millilitres: "7.5"),
    Row(table: "paracetamol-uk-120", from: 48, below: 72, milligrams: "240", millilitres: "10"),
    Row(table: "paracetamol-uk-250", from: 72, below: 96, milligrams: "250", millilitres: "5"),
    Row(table: "paracetamol-uk-250", from: 96, below: 120, milligrams: "375", millilitres: "7.5"),
    Row(table: "paracetamol-uk-250", from: 120, below: 144, milligrams: "500", millilitres: "10"),
    Row(table: "paracetamol-us-160", from: 6, below: 12, milligrams: "40", millilitres: "1.25"),
    Row(table: "paracetamol-us-160", from: 12, below: 18, milligrams: "80", millilitres: "2.5"),
    Row(table: "paracetamol-us-160", from: 18, below: 24, milligrams: "120", millilitres: "3.75"),
    Row(table: "paracetamol-us-160", from: 24, below: 36, milligrams: "160", millilitres: "5"),
    Row(table: "paracetamol-us-160", from: 36, below: 48, milligrams: "240", millilitres: "7.5"),
    Row(table: "paracetamol-us-160", from: 48, below: 60, milligrams: "320", millilitres: "10"),
    Row(table: "paracetamol-us-160", from: 60, below: 72, milligrams: "400", millilitres: "12.5"),
    Row(table: "paracetamol-us-160", from: 72, below: 96, milligrams: "480", millilitres: "15"),
    Row(table: "paracetamol-us-160", from: 96, below: nil, milligrams: "640", millilitres: "20"),
    Row(table: "paracetamol-th-120", from: 10, below: 16, milligrams: "120", millilitres: "5"),
    Row(table: "paracetamol-th-120", from: 16, below: 26, milligrams: "240", millilitres: "10"),
    Row(table: "paracetamol-th-120", from: 26, below: 35.001, milligrams: "360", millilitres: "15"),
    Row(
      table: "paracetamol-th-120", from: 35.001, below: nil, milligrams: "480", millilitres: "20"),
    Row(table: "ibuprofen-uk-100", from: 3, below: 6, milligrams: "50", millilitres: "2.5"),
    Row(table: "ibuprofen-uk-100", from: 6, below: 12, milligrams: "50", millilitres: "2.5"),
    Row(table: "ibuprofen-uk-100", from: 12, below: 48, milligrams: "100", millilitres: "5"),
    Row(table: "ibuprofen-uk-100", from: 48, below: 84, milligrams: "150", millilitres: "7.5"),
    Row(table: "ibuprofen-uk-100", from: 84, below: 120, milligrams: "200", millilitres: "10"),
    Row(table: "ibuprofen-uk-100", from: 120, below: 144, milligrams: "300", millilitres: "15"),
    Row(table: "ibuprofen-us", from: 12, below: 18, milligrams: "50", millilitres: "2.5"),
    Row(table: "ibuprofen-us", from: 18, below: 24, milligrams: "75", millilitres: "3.75"),
    Row(table: "ibuprofen-us", from: 24, below: 36, milligrams: "100", millilitres: "5"),
    Row(table: "ibuprofen-us", from: 36, below: 48, milligrams: "150", millilitres: "7.5"),
    Row(table: "ibuprofen-us", from: 48, below: 60, milligrams: "200", millilitres: "10"),
    Row(table: "ibuprofen-us", from: 60, below: 72, milligrams: "250", millilitres: "12.5"),
    Row(table: "ibuprofen-us", from: 72, below: 96, milligrams: "300", millilitres: "15"),
  ]

  /// Returns a question for a child at a position in a table: of that age with a fitting weight, or of that
  /// weight.
  static func question(_ table: DoseTable, at value: Double, lowering: Int = 0) -> DoseQuestion {
    let pound = 453.59237
    var grams: Int
    var months = 60
    switch table.measure {
    case .ageMonths:
      months = Int(value) - lowering
      grams = 5_500 + months * 350
    case .kilograms: grams = Int((value * 1_000).rounded(.up)) - lowering
    case .pounds: grams = Int((value * pound).rounded(.up)) - lowering
    }
    grams = max(grams, 400)
    return DoseQuestion(
      ingredient: table.ingredient, region: table.region, strength: table.strengths[0],
      grams: grams, ageInMonths: months, isBornAfter37Weeks: true)
  }

  private func table(_ id: String) throws -> DoseTable {
    try #require(Self.handbook.doseTables.first { $0.id == id })
  }

  private func dose(_ question: DoseQuestion) throws -> ReferenceDose {
    let answer = try Self.handbook.dose(question, approvals: Self.approvals)
    guard case .dose(let dose) = answer else {
      Issue.record("\(question): \(answer)")
      throw CancellationError()
    }
    return dose
  }

  @Test(arguments: rows)
  func aRowHoldsFromItsFirstToItsLastValue(row: Row) throws {
    let table = try table(row.table)
    var questions = [Self.question(table, at: row.from)]
    if let below = row.below { questions.append(Self.question(table, at: below, lowering: 1)) }
    for question in questions {
      let dose = try dose(question)
      #expect(dose.most.milligramsText == row.milligrams)
      #expect(dose.mostVolume.millilitresText == row.millilitres)
      #expect(dose.least == dose.most)
      #expect(dose.dayMaximum.micrograms >= dose.most.micrograms * dose.doses)
    }
  }

  @Test func theRowsAboveAreAllThereAre() {
    #expect(Self.rows.count == Self.handbook.doseTables.map(\.rows.count).reduce(0, +))
  }

  @Test(arguments: handbook.doseTables.map(\.id))
  func outsideTheTableThereIsNoNumber(id: String) throws {
    let table = try table(id)
    let first = Double(table.rows[0].from) / 1_000
    var questions = [Self.question(table, at: first, lowering: 1)]
    if let end = table.rows.last?.below {
      questions.append(Self.question(table, at: Double(end) / 1_000))
    }
    for question in questions {
      let answer = try Self.handbook.dose(question, approvals: Self.approvals)
      switch answer {
      case .askPharmacist(.outsideTable), .contraindicated: break
      default: Issue.record("\(question): \(answer)")
      }
    }
  }

  @Test(arguments: handbook.doseTables.map(\.id))
  func everyTableIsOffUntilThisVersionIsApproved(id: String) throws {
    let table = try table(id)
    let question = Self.question(table, at: Double(table.rows[1].from) / 1_000)
    let off = DoseRecommendation.askPharmacist(
      .notApproved(table: table.id, version: table.version))
    #expect(try Self.handbook.dose(question, approvals: []) == off)
    let other = TableApproval(
      table: table.id, version: table.version + 1, by: "Dr Test", day: "2026-11-22")
    #expect(try Self.handbook.dose(question, approvals: [other]) == off)
  }

  private var toddler: DoseQuestion {
    DoseQuestion(
      ingredient: "paracetamol", region: .th, strength: LiquidStrength(text: "120/5"),
      grams: 12_000, ageInMonths: 30)
  }

  @Test func theStrengthComesFirst() throws {
    var question = toddler
    question.strength = nil
    #expect(try ask(question) == .askPharmacist(.noStrength))
    question.strength = LiquidStrength(text: "250/5")
    #expect(try ask(question) == .askPharmacist(.otherStrength))
    question.strength = LiquidStrength(text: "24/1")
    #expect(try dose(question).mostVolume.millilitresText == "5")
    #expect(LiquidStrength(text: "120") == nil)
    #expect(LiquidStrength(text: "120/0") == nil)
    #expect(LiquidStrength(text: "-1/5") == nil)
  }

  @Test func anotherRegionHasItsOwnTablesAndNoOther() throws {
    var question = toddler
    question.ingredient = "ibuprofen"
    question.strength = LiquidStrength(text: "100/5")
    #expect(try ask(question) == .askPharmacist(.noTable))
    question.region = .uk
    #expect(try dose(question).table.id == "ibuprofen-uk-100")
  }

  private func ask(_ question: DoseQuestion) throws -> DoseRecommendation {
    try Self.handbook.dose(question, approvals: Self.approvals)
  }

  private func given(_ minutes: Int, _ milligrams: Int? = 120) -> GivenDose {
    GivenDose(
      ingredients: ["paracetamol"], amount: milligrams.map { IngredientMass(milligrams: $0) },
      minutesAgo: minutes)
  }

  @Test func whatWasGivenFromAnyProductCounts() throws {
    var question = toddler
    question.given = [given(240)]
    #expect(try dose(question).dosesLeft == 4)
    question.given = [given(239)]
    #expect(try wait(question) == 1)
    question.given = [given(0)]
    #expect(try wait(question) == 240)
    // Five in 24 hours: the sixth waits until the oldest is out of them.
    question.given = [300, 500, 700, 900, 1_400].map { given($0) }
    #expect(try wait(question) == 40)
    question.given = [given(1_440), given(2_000)]
    #expect(try dose(question).alreadyGiven == IngredientMass(milligrams: 0))
    // 75 mg for each of 12 kg is 900 mg a day: the rows' 600 mg is lower, so it applies.
    question.given = [given(600, 500)]
    #expect(try wait(question) == 840)
    question.given = [given(600, 480)]
    #expect(try dose(question).dayMaximum == IngredientMass(milligrams: 600))
  }

  private func wait(_ question: DoseQuestion) throws -> Int? {
    if case .later(_, let minutes) = try ask(question) { minutes } else { nil }
  }

  @Test func whatIsNotKnownOfWhatWasGivenGivesNoNumber() throws {
    var question = toddler
    question.given = [given(600, nil)]
    #expect(try ask(question) == .askPharmacist(.unknownGiven))
    question.given = [GivenDose(ingredients: nil, amount: nil, minutesAgo: 600)]
    #expect(try ask(question) == .askPharmacist(.unknownGiven))
    question.given = [GivenDose(ingredients: ["ibuprofen"], amount: nil, minutesAgo: 5)]
    #expect(try dose(question).dosesLeft == 5)
  }

  @Test func whatCannotBeIsRefused() {
    var question = toddler
    for grams in [0, -5, 399, 250_001, Int.max] {
      question.grams = grams
      #expect(throws: DoseQuestionError.impossibleWeight(grams: grams)) { try ask(question) }
    }
    question.grams = 12_000
    for months in [-1, 216, Int.max] {
      question.ageInMonths = months
      #expect(throws: DoseQuestionError.impossibleAge(months: months)) { try ask(question) }
    }
    question.ageInMonths = 30
    question.given = [given(-1)]
    #expect(throws: DoseQuestionError.impossibleGivenDose) { try ask(question) }
  }

  @Test func aChildTooLightForItsAgeIsAskedFor() throws {
    var question = DoseQuestion(
      ingredient: "paracetamol", region: .uk, strength: LiquidStrength(text: "120/5"),
      grams: 6_400, ageInMonths: 6)
    #expect(try dose(question).doses == 4)
    question.grams = 6_399
    #expect(try ask(question) == .askPharmacist(.beyondDay))
    question.ageInMonths = 2
    question.grams = 4_001
    #expect(try ask(question) == .askPharmacist(.conditionsNotMet))
    question.isBornAfter37Weeks = true
    #expect(try dose(question).doses == 2)
    question.grams = 4_000
    #expect(try ask(question) == .askPharmacist(.conditionsNotMet))
  }

  @Test(arguments: [
    ("acetylsalicylic acid", Region.uk, 191, 192), ("acetylsalicylic acid", .th, 191, 192),
    ("acetylsalicylic acid", .us, 239, 240), ("honey", .uk, 11, 12), ("codeine", .us, 143, 144),
    ("tramadol", .th, 143, 144), ("ibuprofen", .uk, 2, 3), ("ibuprofen", .us, 5, 6),
    ("dextromethorphan", .uk, 71, 72), ("dextromethorphan", .us, 47, 48),
    ("doxycycline", .th, 95, 96), ("ciprofloxacin", .uk, 215, 216), ("loperamide", .us, 215, 216),
    ("miconazole", .th, 5, 6), ("acetylcysteine", .uk, 23, 24),
  ])
  func isBarredBelowAnAge(ingredient: String, region: Region, last: Int, free: Int) {
    let handbook = Self.handbook
    #expect(
      !handbook.contraindications(
        for: [ingredient], ageInMonths: last, grams: 20_000, region: region
      ).isEmpty)
    #expect(
      handbook.contraindications(
        for: [ingredient], ageInMonths: free, grams: 20_000, region: region
      ).isEmpty)
  }

  @Test func aBarIsSetAsideOnlyWhereItsSourceAllowsAndWithANote() throws {
    var question = DoseQuestion(
      ingredient: "ibuprofen", region: .uk, strength: LiquidStrength(text: "100/5"),
      grams: 4_900, ageInMonths: 4)
    #expect(try isBarred(question))
    question.overrides = [ContraindicationOverride(contraindication: "ibuprofen-uk", note: "  ")]
    #expect(try isBarred(question))
    question.overrides = [
      ContraindicationOverride(contraindication: "ibuprofen-uk", note: "Dr Berg prescribed it")
    ]
    #expect(try ask(question) == .askPharmacist(.conditionsNotMet))
    question.ingredient = "codeine"
    question.overrides = [
      ContraindicationOverride(contraindication: "codeine", note: "Dr Berg prescribed it")
    ]
    #expect(try isBarred(question))
  }

  private func isBarred(_ question: DoseQuestion) throws -> Bool {
    if case .contraindicated = try ask(question) { true } else { false }
  }

  @Test func factsThatWereNotReadAgainAreMarked() throws {
    #expect(try !table("ibuprofen-uk-100").isReRead)
    #expect(try table("paracetamol-th-120").isReRead)
  }
}
