// SPDX-License-Identifier: Apache-2.0

extension Handbook {
  private enum Limit {
    /// The plausible weights of a child, in grams.
    static let grams = 400...250_000
    /// The ages of children in months: under eighteen years.
    static let months = 0..<216
    static let dayInMinutes = 24 * 60
    /// The exact number of micrograms in a pound.
    static let microgramsInPound = 453_592_370
  }

  /// Returns the amount of an ingredient that a child may have now, from approved tables only.
  public func dose(
    _ question: DoseQuestion, approvals: [TableApproval]
  ) throws(DoseQuestionError) -> DoseRecommendation {
    guard Limit.grams.contains(question.grams) else {
      throw .impossibleWeight(grams: question.grams)
    }
    guard Limit.months.contains(question.ageInMonths) else {
      throw .impossibleAge(months: question.ageInMonths)
    }
    let isImpossible = question.given.contains {
      $0.minutesAgo < 0 || ($0.amount?.micrograms ?? 0) < 0
    }
    if isImpossible { throw .impossibleGivenDose }
    let found = contraindications(
      for: [question.ingredient], ageInMonths: question.ageInMonths, grams: question.grams,
      region: question.region
    ).filter { !isOverridden($0, by: question.overrides) }
    guard found.isEmpty else { return .contraindicated(found) }

    let tables = doseTables.filter {
      $0.ingredient == question.ingredient && $0.region == question.region
    }
    guard !tables.isEmpty else { return .askPharmacist(.noTable) }
    guard let strength = question.strength else { return .askPharmacist(.noStrength) }
    guard let table = tables.first(where: { $0.strengths.contains { $0.isSame(as: strength) } })
    else { return .askPharmacist(.otherStrength) }
    let approval = approvals.first { $0.table == table.id && $0.version == table.version }
    guard let approval else {
      return .askPharmacist(.notApproved(table: table.id, version: table.version))
    }
    let row = table.rows.first { $0.holds(value(of: question, in: table.measure)) }
    guard question.ageInMonths >= table.fromMonths, let row else {
      return .askPharmacist(.outsideTable)
    }
    if let least = row.heavierThan, question.grams <= least {
      return .askPharmacist(.conditionsNotMet)
    }
    if row.needsTerm, question.isBornAfter37Weeks != true {
      return .askPharmacist(.conditionsNotMet)
    }
    return answer(question, table: table, row: row, strength: strength, approval: approval)
  }

  private func isOverridden(
    _ contraindication: AgeContraindication, by overrides: [ContraindicationOverride]
  ) -> Bool {
    contraindication.mayBeOverridden
      && overrides.contains {
        $0.contraindication == contraindication.id && !trimmed($0.note).isEmpty
      }
  }

  /// Returns the child's age or weight in thousandths of the table's measure, rounded down.
  private func value(of question: DoseQuestion, in measure: DoseMeasure) -> Int {
    switch measure {
    case .ageMonths: question.ageInMonths * 1_000
    case .kilograms: question.grams
    case .pounds: question.grams * 1_000_000 * 1_000 / Limit.microgramsInPound
    }
  }

  /// Returns the answer for a row: the amount, and if earlier doses leave room for it.
  private func answer(
    _ question: DoseQuestion, table: DoseTable, row: DoseTableRow, strength: LiquidStrength,
    approval: TableApproval
  ) -> DoseRecommendation {
    let recent = question.given.filter { $0.minutesAgo < Limit.dayInMinutes }
    var same: [(minutesAgo: Int, amount: IngredientMass)] = []
    for given in recent {
      guard let ingredients = given.ingredients else { return .askPharmacist(.unknownGiven) }
      guard ingredients.contains(question.ingredient) else { continue }
      guard let amount = given.amount else { return .askPharmacist(.unknownGiven) }
      same.append((given.minutesAgo, amount))
    }
    guard let least = strength.volume(of: row.least), let most = strength.volume(of: row.most)
    else { return .askPharmacist(.otherStrength) }
    let day = dayMaximum(question, table: table, row: row)
    // The daily maximum must cover the number of doses in the source; otherwise the child is too light for
    // the row.
    guard row.most.micrograms * row.doses <= day.micrograms else {
      return .askPharmacist(.beyondDay)
    }
    let already = same.reduce(IngredientMass(micrograms: 0)) { $0 + $1.amount }
    let dose = ReferenceDose(
      table: table, row: row, least: row.least, most: row.most, leastVolume: least,
      mostVolume: most, doses: row.doses, dosesLeft: max(0, row.doses - same.count),
      dayMaximum: day, alreadyGiven: already, approval: approval)
    let wait = minutesToWait(same, table: table, row: row, day: day)
    return wait == 0 ? .dose(dose) : .later(dose, minutes: wait)
  }

  private func dayMaximum(
    _ question: DoseQuestion, table: DoseTable, row: DoseTableRow
  ) -> IngredientMass {
    var bounds = [row.most.micrograms * row.doses]
    if let each = table.dayPerKilogram { bounds.append(each.micrograms * question.grams / 1_000) }
    if let all = table.dayInAll { bounds.append(all.micrograms) }
    return IngredientMass(micrograms: bounds.min() ?? 0)
  }

  /// Returns the minutes until the gap has passed, and the number of doses and the daily maximum allow
  /// another dose.
  private func minutesToWait(
    _ same: [(minutesAgo: Int, amount: IngredientMass)], table: DoseTable, row: DoseTableRow,
    day: IngredientMass
  ) -> Int {
    var wait = 0
    if let last = same.map(\.minutesAgo).min() { wait = max(0, table.hours * 60 - last) }
    // The oldest doses leave the 24 hours first.
    var left = same.sorted { $0.minutesAgo > $1.minutesAgo }
    func isFull() -> Bool {
      let sum = left.reduce(row.most.micrograms) { $0 + $1.amount.micrograms }
      return left.count >= row.doses || sum > day.micrograms
    }
    while isFull(), let oldest = left.first {
      wait = max(wait, Limit.dayInMinutes - oldest.minutesAgo)
      left.removeFirst()
    }
    return wait
  }
}

extension LiquidStrength {
  /// Returns true for the same strength in any notation: 24 mg/mL is 120 mg/5 mL.
  public func isEqual(to other: LiquidStrength) -> Bool { isSame(as: other) }

  func isSame(as other: LiquidStrength) -> Bool {
    let (left, isLeftTooLarge) = mass.micrograms.multipliedReportingOverflow(
      by: other.volume.microlitres)
    let (right, isRightTooLarge) = other.mass.micrograms.multipliedReportingOverflow(
      by: volume.microlitres)
    return !isLeftTooLarge && !isRightTooLarge && left == right
  }
}
