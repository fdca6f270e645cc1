// SPDX-License-Identifier: Apache-2.0
import Localization

/// All knowledge about illnesses and medicines, read once from the program's own files.
public struct Handbook: Sendable {
  /// The topics with a page, in the order of the list.
  public let topics: [Topic]
  /// All medicines.
  public let medicines: [CatalogueMedicine]
  /// The interactions of the list.
  public let interactions: [Interaction]
  /// The dose tables, each off until it is approved.
  public let doseTables: [DoseTable]
  /// The contraindications for an age.
  public let ageContraindications: [AgeContraindication]
  /// The maximum frequencies of medicines that are dangerous when taken more often.
  public let frequencyRules: [FrequencyRule]
  /// The days of a month from which headache medicines can themselves cause headaches.
  public let overuseRules: [OveruseRule]
  /// The faults in the files; the shipped files have none.
  public let faults: [ContentFault]

  let common: [Topic]
  private let sources: [String: Source]
  let phrases: Phrases
  let index: NameIndex
  let medicinesByName: [String: [Int]]
  /// The ATC codes of single-ingredient medicines, by ingredient.
  let singleCodes: [String: [String]]
  /// The groups of medicines used for allergies.
  public let allergyGroups: [AllergyGroup]
  /// The version of the list of interactions.
  public let interactionsVersion: String

  /// The handbook that ships with the program.
  public static let shipped = Handbook(files: EmbeddedResources.files)

  /// Reads files; faulty content is left out and reported in `faults`.
  public init(files: [(path: String, content: String)]) {
    var faults: [ContentFault] = []
    func content(_ name: String) -> String {
      files.first { $0.path == "Catalogues/\(name).table" }?.content ?? ""
    }
    func reading<Value>(_ name: String, _ read: ((Int, String) -> Void) -> Value) -> Value {
      read { line, problem in
        let file = name.contains("/") ? name : "\(name).table"
        faults.append(ContentFault(path: "Catalogues/\(file)", line: line, problem: problem))
      }
    }
    let topicFiles = files.filter {
      $0.path.hasPrefix("Catalogues/topics/") && $0.path.hasSuffix(".topic")
    }
    let all = topicFiles.compactMap { file in
      let name = String(file.path.dropFirst("Catalogues/".count))
      let id = String(name.dropFirst("topics/".count).dropLast(".topic".count))
      return reading(name) { Topic(id: id, content: file.content, noting: $0) }
    }
    topics = all.filter { $0.order > 0 }.sorted { ($0.order, $0.id) < ($1.order, $1.id) }
    common = all.filter { $0.order == 0 }.sorted { $0.id < $1.id }
    let phrases = reading("phrases") {
      Phrases(ContentTable(content("phrases")), noting: $0)
    }
    self.phrases = phrases
    medicines = reading("medicines") {
      CatalogueMedicine.table(ContentTable(content("medicines")), phrases: phrases, noting: $0)
    }
    interactions = reading("interactions") {
      Interaction.table(ContentTable(content("interactions")), phrases: phrases, noting: $0)
    }
    allergyGroups = reading("allergies") {
      AllergyGroup.table(ContentTable(content("allergies")), phrases: phrases, noting: $0)
    }
    var list = reading("sources") {
      Source.table(ContentTable(content("sources")), noting: $0)
    }
    list += medicines.map(\.source) + interactions.map(\.citation)
    list += allergyGroups.map(\.citation)
    var sources: [String: Source] = [:]
    for source in list {
      if sources.updateValue(source, forKey: source.id) != nil {
        faults.append(
          ContentFault(path: "Catalogues", line: 0, problem: "source \(source.id) appears twice"))
      }
    }
    self.sources = sources
    doseTables = reading("doses") { DoseTable.tables(in: content("doses"), noting: $0) }
    ageContraindications = reading("contraindications") {
      AgeContraindication.contraindications(in: content("contraindications"), noting: $0)
    }
    frequencyRules = reading("frequencies") {
      FrequencyRule.rules(in: content("frequencies"), noting: $0)
    }
    overuseRules = reading("overuse") { OveruseRule.rules(in: content("overuse"), noting: $0) }
    (index, medicinesByName) = Handbook.names(of: medicines)
    singleCodes = Dictionary(
      grouping: medicines.filter { $0.ingredients.count == 1 }, by: { $0.ingredients[0] }
    ).mapValues { $0.map(\.atc) }
    interactionsVersion = ContentTable.version(of: content("interactions")) ?? ""
    let checks = ContentChecks(
      topics: all, tables: doseTables, contraindications: ageContraindications,
      frequencies: frequencyRules, overuse: overuseRules,
      sources: sources,
      ingredients: Set(medicines.flatMap(\.ingredients)))
    self.faults = faults + checks.faults()
  }

  /// Returns the topic with an id that has a page.
  public func topic(_ id: String) -> Topic? { topics.first { $0.id == id } }

  /// The prefix of the ids of statements with emergency numbers.
  public static let numbersPrefix = "numbers."

  /// Returns the statements of a topic's emergency card: the numbers to call, the danger signs for
  /// all children, and those of the topic.
  public func emergencyCard(for topic: Topic, region: Region) -> [Statement] {
    let lent = common.filter { $0.audience == .everyone || $0.audience == topic.audience }
    return (lent + [topic]).flatMap { $0.statements(in: .emergency, region: region) }
  }

  /// Returns a statement of any topic.
  public func statement(_ id: String) -> Statement? {
    (topics + common).lazy.flatMap(\.statements).first { $0.id == id }
  }

  /// Returns a source by its id.
  public func source(_ id: String) -> Source? { sources[id] }

  /// Returns the sources of some statements, each once, by id.
  public func sources(of statements: [Statement]) -> [Source] {
    Set(statements.flatMap(\.sources)).compactMap { sources[$0] }.sorted {
      ($0.id.first ?? " ", $0.id.count, $0.id) < ($1.id.first ?? " ", $1.id.count, $1.id)
    }
  }

  /// Returns a medicine by its id, such as `m001`.
  public func medicine(_ id: String) -> CatalogueMedicine? { medicines.first { $0.id == id } }
}
