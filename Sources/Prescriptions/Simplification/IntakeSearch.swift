// SPDX-License-Identifier: Apache-2.0

/// Searches for the fewest times of day that break no rule of the list.
///
/// It starts with the current times, repairs and merges step by step, then tries all combinations within its
/// limits. When its budget is used up, the best result so far is returned. The order of the medicines does
/// not affect the result.
struct IntakeSearch {
  /// The maximum number of tries when searching all combinations.
  static let mostTries = 20_000

  private struct Option {
    let minutes: [Int]
    let ofDay: [Int]
    /// Its own cost, without rules and times of day.
    let cost: IntakeCost
  }

  private struct Link {
    let other: Int
    let spacing: IntakeSpacing
    let isFirst: Bool
    let offsets: [Int]
    let isBrokenNow: Bool
    /// For each distance from its own time to the other, true if it is too short.
    let tooNear: [Bool]
  }

  /// The inputs that decide which distances are too short.
  private struct Nearness: Hashable {
    let ahead: Int?
    let back: Int?
    let offsets: [Int]
  }

  private let count: Int
  private var options: [[Option]] = []
  private var links: [[Link]] = []
  /// True for each medicine that is too close to a meal now.
  private var isMealBroken: [Bool] = []

  private var chosen: [Int]
  private var used = [Int](repeating: 0, count: IntakeClock.day)
  private var tries = 0
  private(set) var work: IntakeWork

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - medicines: those with times, in an order that does not depend on the input.
  ///   - work: the work done so far.
  init(_ situation: IntakeSituation, _ medicines: [IntakeMedicine], _ work: IntakeWork) {
    self.work = work
    count = medicines.count
    chosen = [Int](repeating: 0, count: medicines.count)
    let places = Dictionary(
      medicines.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    links = [[Link]](repeating: [], count: count)
    var tables: [Nearness: [Bool]] = [:]
    func tooNear(_ spacing: IntakeSpacing, isFirst: Bool, _ offsets: [Int]) -> [Bool] {
      let (ahead, back) = (spacing.firstThenSecond, spacing.secondThenFirst)
      let key = Nearness(
        ahead: isFirst ? ahead : back, back: isFirst ? back : ahead, offsets: offsets)
      if let table = tables[key] { return table }
      let table = Self.table(key)
      tables[key] = table
      return table
    }
    for spacing in situation.spacings.sorted(by: { ($0.first, $0.second) < ($1.first, $1.second) })
    {
      guard let first = places[spacing.first], let second = places[spacing.second],
        first != second
      else { continue }
      let (one, other) = (medicines[first], medicines[second])
      let most = spacing.longest / IntakeClock.day + 2
      let offsets = one.days.offsets(to: other.days, within: most)
      let back = other.days.offsets(to: one.days, within: most)
      let isBroken = Self.isBroken(spacing, offsets, one.minutes, other.minutes)
      links[first].append(
        Link(
          other: second, spacing: spacing, isFirst: true, offsets: offsets,
          isBrokenNow: isBroken, tooNear: tooNear(spacing, isFirst: true, offsets)))
      links[second].append(
        Link(
          other: first, spacing: spacing, isFirst: false, offsets: back, isBrokenNow: isBroken,
          tooNear: tooNear(spacing, isFirst: false, back)))
    }
    let making = IntakeOptions(situation)
    let rules = Dictionary(grouping: situation.meals, by: \.medicine)
    for (index, medicine) in medicines.enumerated() {
      let own = rules[medicine.id] ?? []
      func isNearMeal(_ minutes: [Int]) -> Bool {
        own.contains { rule in minutes.contains { rule.isBroken($0, making.clock) } }
      }
      let isBroken = isNearMeal(medicine.minutes)
      isMealBroken.append(isBroken)
      let isFree = isBroken || links[index].contains(where: \.isBrokenNow)
      let now = medicine.minutes
      let all = making.all(of: medicine, isFree: isFree).filter { $0 == now || !isNearMeal($0) }
      options.append(
        all.map { minutes in
          let weight = [Int].Weight(minutes, now)
          let left = making.left(minutes, from: now)
          return Option(
            minutes: minutes, ofDay: minutes.map(IntakeClock.ofDay),
            cost: IntakeCost(
              leftMeal: own.isEmpty ? 0 : left, left: own.isEmpty ? left : 0, moved: weight.moved,
              minutes: weight.minutes))
        })
    }
    dropImpossible()
    for index in 0..<count { use(index, 0) }
  }

  /// Returns the times of each medicine, and true if all combinations were tried.
  mutating func run() -> (minutes: [[Int]], isExhaustive: Bool) {
    improve()
    let isExhaustive = tryAll()
    return (chosen.indices.map { options[$0][chosen[$0]].minutes }, isExhaustive)
  }

  // MARK: Rules

  /// Returns true if two medicines are too close to each other at these times.
  static func isBroken(
    _ spacing: IntakeSpacing, _ offsets: [Int], _ first: [Int], _ second: [Int]
  ) -> Bool {
    first.contains { one in
      second.contains { other in
        offsets.contains { spacing.lacking($0 * IntakeClock.day + other - one) != nil }
      }
    }
  }

  /// Returns the number of rules that two choices break; nil if they cannot be combined.
  ///
  /// A broken rule must be repaired completely, or both medicines stay: a partial step might bring them
  /// closer.
  private mutating func state(_ link: Link, _ own: Int, of index: Int, _ other: Int) -> Int? {
    let (one, another) = (options[index][own].minutes, options[link.other][other].minutes)
    work.compare(one.count * another.count)
    for minute in one {
      for otherMinute in another where Self.isTooNear(link, otherMinute - minute) {
        return link.isBrokenNow && own == 0 && other == 0 ? 1 : nil
      }
    }
    return 0
  }

  /// Times lie within a day; the few on the day before or after are not in the table.
  private static let mostDistance = IntakeClock.day

  private static func table(_ nearness: Nearness) -> [Bool] {
    var table = [Bool](repeating: false, count: 2 * mostDistance + 1)
    for offset in nearness.offsets {
      let together = mostDistance - offset * IntakeClock.day
      let first = max(together - max(nearness.back ?? 1, 1) + 1, 0)
      let last = min(together + max(nearness.ahead ?? 1, 1) - 1, table.count - 1)
      guard first <= last else { continue }
      for place in first...last { table[place] = true }
    }
    return table
  }

  private static func isTooNear(_ link: Link, _ distance: Int) -> Bool {
    let place = distance + mostDistance
    if link.tooNear.indices.contains(place) { return link.tooNear[place] }
    return isTooNear(link.spacing, isFirst: link.isFirst, link.offsets, distance)
  }

  private static func isTooNear(
    _ spacing: IntakeSpacing, isFirst: Bool, _ offsets: [Int], _ minutes: Int
  ) -> Bool {
    offsets.contains { offset in
      let distance = offset * IntakeClock.day + minutes
      return spacing.lacking(isFirst ? distance : -distance) != nil
    }
  }

  /// Removes choices that no choice of another medicine is compatible with.
  private mutating func dropImpossible() {
    for index in 0..<count where options[index].count > 1 {
      for link in links[index] where options[link.other].count == 1 {
        if work.isUsedUp { return }
        var kept: [Option] = []
        for option in options[index].indices {
          if option == 0 || state(link, option, of: index, 0) != nil {
            kept.append(options[index][option])
          }
        }
        options[index] = kept
      }
    }
  }

  // MARK: Steps

  private mutating func use(_ index: Int, _ option: Int) {
    for minute in options[index][option].ofDay { used[minute] += 1 }
    chosen[index] = option
  }

  private mutating func release(_ index: Int) {
    for minute in options[index][chosen[index]].ofDay { used[minute] -= 1 }
  }

  /// Returns the cost that a choice adds, next to all others or only those before it; nil if it is not
  /// possible.
  private mutating func added(_ index: Int, _ option: Int, beside isSet: [Bool]?) -> IntakeCost? {
    work.judge()
    let choice = options[index][option]
    var cost = choice.cost
    if option == 0, isMealBroken[index] { cost.broken += 1 }
    for link in links[index] where isSet?[link.other] ?? true {
      guard let broken = state(link, option, of: index, chosen[link.other]) else { return nil }
      cost.broken += broken
    }
    for minute in choice.ofDay where used[minute] == 0 { cost.times += 1 }
    return cost
  }

  private mutating func cost() -> IntakeCost {
    var cost = IntakeCost(times: used.count { $0 > 0 })
    for index in 0..<count {
      cost += options[index][chosen[index]].cost
      if chosen[index] == 0, isMealBroken[index] { cost.broken += 1 }
      for link in links[index] where link.other > index {
        cost.broken += state(link, chosen[index], of: index, chosen[link.other]) ?? 0
      }
    }
    return cost
  }

  /// Returns the best choice of one medicine next to all others, optionally without a given time; nil also if
  /// not all could be evaluated.
  private mutating func best(_ index: Int, without minute: Int? = nil) -> Int? {
    var best: (option: Int, cost: IntakeCost)?
    for option in options[index].indices {
      if work.isUsedUp { return nil }
      if let minute, options[index][option].ofDay.contains(minute) { continue }
      guard let cost = added(index, option, beside: nil) else { continue }
      if best.map({ cost < $0.cost }) ?? true { best = (option, cost) }
    }
    return best?.option
  }

  /// Moves one medicine after another and removes one time of day after another, as long as that helps.
  private mutating func improve() {
    for _ in 0..<8 {
      let before = cost()
      for index in 0..<count where options[index].count > 1 {
        release(index)
        use(index, best(index) ?? chosen[index])
      }
      for minute in used.indices where used[minute] > 0 { giveUp(minute) }
      guard !work.isUsedUp, cost() < before else { return }
    }
  }

  /// Removes a time of day if everything taken then can move to another one.
  private mutating func giveUp(_ minute: Int) {
    if work.isUsedUp { return }
    let (before, cost) = (chosen, cost())
    for index in 0..<count where options[index][chosen[index]].ofDay.contains(minute) {
      release(index)
      guard let option = best(index, without: minute) else {
        use(index, chosen[index])
        return restore(before)
      }
      use(index, option)
    }
    if !(self.cost() < cost) { restore(before) }
  }

  private mutating func restore(_ choices: [Int]) {
    for index in 0..<count where chosen[index] != choices[index] {
      release(index)
      use(index, choices[index])
    }
  }

  // MARK: All combinations

  /// Tries all combinations, those with few choices first; returns true if it finished within the limit.
  private mutating func tryAll() -> Bool {
    let order = (0..<count).sorted {
      (options[$0].count, $0) < (options[$1].count, $1)
    }
    var best = (choices: chosen, cost: cost())
    for index in 0..<count { release(index) }
    tries = 0
    var isSet = [Bool](repeating: false, count: count)
    go(0, order, IntakeCost(), &isSet, &best)
    for index in 0..<count { use(index, best.choices[index]) }
    return tries < Self.mostTries && !work.isUsedUp
  }

  private mutating func go(
    _ depth: Int, _ order: [Int], _ cost: IntakeCost, _ isSet: inout [Bool],
    _ best: inout (choices: [Int], cost: IntakeCost)
  ) {
    guard depth < order.count else {
      best = (chosen, cost)
      return
    }
    let index = order[depth]
    for option in options[index].indices {
      if tries >= Self.mostTries || work.isUsedUp { return }
      if options[index].count > 1 { tries += 1 }
      guard let added = added(index, option, beside: isSet) else { continue }
      let sum = cost + added
      guard sum < best.cost else { continue }
      use(index, option)
      isSet[index] = true
      go(depth + 1, order, sum, &isSet, &best)
      isSet[index] = false
      release(index)
    }
  }
}
