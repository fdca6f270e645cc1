// SPDX-License-Identifier: Apache-2.0

/// Rules across files: every source is known, and rules of two regions are not mixed.
struct ContentChecks {
  let topics: [Topic]
  let tables: [DoseTable]
  let contraindications: [AgeContraindication]
  let frequencies: [FrequencyRule]
  let overuse: [OveruseRule]
  let sources: [String: Source]
  /// The ingredients of the medicines.
  let ingredients: Set<String>

  func faults() -> [ContentFault] {
    var result: [ContentFault] = []
    var reaches: [String: Statement] = [:]
    for topic in topics {
      let path = "Catalogues/topics/\(topic.id).topic"
      for statement in topic.statements {
        reaches[statement.id] = statement
        for problem in problems(of: statement) {
          result.append(
            ContentFault(path: path, line: 0, problem: "\(statement.id): \(problem)"))
        }
      }
    }
    for table in tables {
      let cited = table.sources + table.daySources + table.rows.flatMap(\.sources)
      var problems = cited.compactMap { problem(of: $0, reach: .only(table.region)) }
      if !ingredients.contains(table.ingredient) { problems.append("no medicine contains it") }
      if table.facts == .read, table.sources.contains(where: { sources[$0]?.facts == .named }) {
        problems.append("says read, but a source was not read")
      }
      result += problems.map {
        ContentFault(path: "Catalogues/doses.table", line: 0, problem: "\(table.id): \($0)")
      }
    }
    for contraindication in contraindications {
      var problems: [String] = []
      if let reason = reaches[contraindication.statement] {
        if case .only = reason.reach, reason.reach != contraindication.reach {
          problems.append("its reason is of another region")
        }
      } else {
        problems.append("no statement \(contraindication.statement)")
      }
      for ingredient in contraindication.ingredients where ingredient != "honey" {
        if !ingredients.contains(ingredient) { problems.append("no medicine has \(ingredient)") }
      }
      result += problems.map {
        ContentFault(
          path: "Catalogues/contraindications.table", line: 0,
          problem: "\(contraindication.id): \($0)")
      }
    }
    result += frequencies.flatMap {
      problems(of: $0.id, in: "frequencies", citing: $0.sources, $0.facts)
    }
    return result
      + overuse.flatMap { problems(of: $0.id, in: "overuse", citing: $0.sources, $0.facts) }
  }

  /// Returns the problems with the sources of a rule in a file of its own.
  private func problems(
    of rule: String, in file: String, citing cited: [String], _ facts: FactsStatus
  ) -> [ContentFault] {
    var problems = cited.compactMap { problem(of: $0, reach: .everywhere) }
    if facts == .read, cited.contains(where: { sources[$0]?.facts == .named }) {
      problems.append("says read, but a source was not read")
    }
    return problems.map {
      ContentFault(path: "Catalogues/\(file).table", line: 0, problem: "\(rule): \($0)")
    }
  }

  private func problems(of statement: Statement) -> [String] {
    var result = statement.sources.compactMap { problem(of: $0, reach: statement.reach) }
    if statement.facts == .read,
      statement.sources.contains(where: { sources[$0]?.facts == .named })
    {
      result.append("says read, but a source was not read")
    }
    return result
  }

  /// Returns the problem with citing a source next to the rules of one region.
  private func problem(of id: String, reach: Reach) -> String? {
    guard let source = sources[id] else { return "no source \(id)" }
    if case .only(let region) = reach, let own = source.region, own != region {
      return "source \(id) is of another region"
    }
    return nil
  }
}
