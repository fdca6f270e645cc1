// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers

/// Small random observations, and random conditions that find some of them.
struct RandomObservations {
  var random: RandomSequence

  init(random: RandomSequence) { self.random = random }

  private let codes = ["a", "b", "B", "a|b"]
  private let systems = ["http://s1", "http://s2", ""]
  private let texts = ["Ann", "anna", "Änne  X", "Straße", "50% off_", "ÅSE", "x"]
  private let days = ["2026", "2026-03", "2026-03-04", "2026-03-04T05:06:07Z", "2025-12-31"]
  private let numbers = ["1", "1.0", "1.50", "-2", "2e1", "100"]
  private let addresses = [
    "http://a.example", "http://a.example/b", "http://a.example/b/c", "urn:x",
  ]
  private let targets = ["Device/1", "Device/2", "Patient/p1", "http://x.example/fhir/Device/1"]
  private let ucum = "http://unitsofmeasure.org"
  private let statuses = ["final", "amended", "preliminary"]

  /// Returns the JSON text of an observation.
  mutating func resource(id: String, patient: PatientID) -> String {
    let code = concept()
    var elements = [
      #""resourceType":"Observation""#, #""id":"\#(id)""#,
      #""status":"\#(random.pick(statuses))""#, #""code":\#(code)"#,
      #""subject":{"reference":"Patient/\#(patient)"}"#,
    ]
    if !random.chance(3) { elements.append(#""category":[\#(concept()),\#(concept())]"#) }
    if !random.chance(3) { elements.append(#""identifier":[\#(identifier())]"#) }
    let start = random.pick(days.filter { $0 != "2025-12-31" })
    let end = random.pick(days)
    switch random.pick([0, 1, 2, 3]) {
    case 0: elements.append(#""effectiveDateTime":"\#(end)""#)
    case 1: elements.append(#""effectivePeriod":{"start":"\#(start)"}"#)
    case 2: elements.append(#""effectivePeriod":{"start":"2025-12-31","end":"\#(end)"}"#)
    default: break
    }
    switch random.pick([0, 1, 2]) {
    case 0: elements.append(#""valueQuantity":\#(quantity())"#)
    case 1: elements.append(#""valueString":"\#(random.pick(texts))""#)
    default: break
    }
    if random.chance(2) {
      let reference = random.pick(targets)
      elements.append(
        #""focus":[{"reference":"\#(reference)"},{"identifier":\#(identifier())}]"#)
    }
    if random.chance(2) { elements.append(#""meta":{"profile":["\#(random.pick(addresses))"]}"#) }
    if random.chance(2) {
      elements.append(#""component":[\#(component(beside: code)),\#(component(beside: code))]"#)
    }
    return "{" + elements.joined(separator: ",") + "}"
  }

  /// Returns a component whose code is not that of the whole observation, which obs-7 forbids.
  private mutating func component(beside code: String) -> String {
    let value =
      random.chance(2)
      ? #""valueQuantity":\#(quantity())"# : #""valueCodeableConcept":\#(concept())"#
    var own = concept()
    while Self.identity(own) == Self.identity(code) { own = concept() }
    return #"{"code":\#(own),\#(value)}"#
  }

  /// The system and code of a concept, without its display.
  private static func identity(_ concept: String) -> Substring {
    concept.prefix(upTo: concept.firstRange(of: "display")?.lowerBound ?? concept.endIndex)
  }

  private mutating func identifier() -> String {
    let system = random.pick(["http://s1", "http://s2"])
    return #"{"system":"\#(system)","value":"\#(random.pick(codes))"}"#
  }

  private mutating func quantity() -> String {
    let number = random.pick(numbers)
    let unit = random.pick(["mg", "g"])
    let code = random.pick(["mg", "g"])
    return #"{"value":\#(number),"unit":"\#(unit)","system":"\#(ucum)","code":"\#(code)"}"#
  }

  private mutating func concept() -> String {
    let system = random.pick(systems)
    let stated = system.isEmpty ? "" : #""system":"\#(system)","#
    let code = random.pick(codes)
    return #"{"coding":[{\#(stated)"code":"\#(code)","display":"\#(random.pick(texts))"}]}"#
  }

  /// Returns a condition of any kind.
  mutating func criterion() -> SearchCriterion {
    let prefixes = DateSearchValue.Prefix.allCases.map(\.rawValue) + [""]
    switch random.pick(Array(0..<15)) {
    case 0: return SearchCriterion(parameter: "code", test: .token(tokens()))
    case 1: return SearchCriterion(parameter: "category", test: .notToken(tokens()))
    case 2: return SearchCriterion(parameter: "identifier", test: .token(tokens()))
    case 3: return SearchCriterion(parameter: "code", test: .text(random.some(texts)))
    case 4:
      let status = TokenSearchValue(system: nil, code: random.pick(statuses))
      return SearchCriterion(
        parameter: "status", test: random.chance(2) ? .token([status]) : .notToken([status]))
    case 5:
      let dates = random.some(days).compactMap { DateSearchValue(random.pick(prefixes) + $0) }
      return SearchCriterion(parameter: "date", test: .date(dates))
    case 6: return SearchCriterion(parameter: "value-quantity", test: .quantity(quantities()))
    case 7:
      let match = random.pick([StringSearchMatch.start, .contains, .exact])
      let values = random.some(texts + ["an", "n", "%", "_", "strasse", "", "ase"])
      return SearchCriterion(parameter: "value-string", test: .string(values, match))
    case 8: return SearchCriterion(parameter: "focus", test: .reference(references()))
    case 9:
      let match = random.pick([URISearchMatch.exact, .below, .above])
      return SearchCriterion(parameter: "_profile", test: .uri(random.some(addresses), match))
    case 10:
      let ids = random.some((0..<40).map { "o\($0)" })
      return SearchCriterion(parameter: "_id", test: .ids(ids))
    case 11:
      let dates = ["2026-03-01T00:00:10Z", "2026-03-01T00:00:20Z", "2026-03-01"]
        .compactMap { DateSearchValue(random.pick(prefixes) + $0) }
      return SearchCriterion(parameter: "_lastUpdated", test: .lastUpdated([random.pick(dates)]))
    case 12:
      let patient = random.pick(["p1", "p2", "p9"])
      return SearchCriterion(
        parameter: random.pick(["patient", "subject"]),
        test: .reference([.local(type: random.pick([nil, "Patient", "Group"]), id: patient)]))
    case 13: return composite()
    default:
      let names = [
        "code", "category", "identifier", "date", "value-quantity", "value-string", "focus",
        "_profile", "status", "patient", "performer", "_id",
      ]
      return SearchCriterion(
        parameter: random.pick(names), test: .missing(random.chance(2)))
    }
  }

  /// Returns a condition on the code and the value of a component, or of the whole observation.
  private mutating func composite() -> SearchCriterion {
    let tokens = ["a", "b", "B", "http://s1|a", "http://s2|", "|b"]
    let isQuantity = random.chance(2)
    let values = isQuantity ? ["1", "gt1", "ne1.5||mg", "20|\(ucum)|g", "le2|\(ucum)|"] : tokens
    let name =
      random.pick(["component-code-value-", "combo-code-value-", "code-value-"])
      + (isQuantity ? "quantity" : "concept")
    let pairs = [(name: name, value: "\(random.pick(tokens))$\(random.pick(values))")]
    let request = try? SearchRequestParser.parse(
      pairs, type: .observation, base: "http://a.example", isLenient: false)
    return request?.criteria.first ?? SearchCriterion(parameter: "_id", test: .ids([]))
  }

  /// Returns a key of the order.
  mutating func sort() -> SearchSort {
    SearchSort(
      parameter: random.pick([
        "_id", "_lastUpdated", "status", "code", "category", "identifier", "date",
        "value-quantity", "value-string", "focus", "subject",
      ]), isDescending: random.chance(2))
  }

  private mutating func tokens() -> [TokenSearchValue] {
    random.some([0, 1, 2]).map { kind in
      TokenSearchValue(
        system: kind == 0 ? nil : random.pick(systems), code: kind == 2 ? nil : random.pick(codes))
    }
  }

  private mutating func quantities() -> [QuantitySearchValue] {
    random.some([(1.0, 0.5), (1.5, 0.05), (-2.0, 0.5), (20.0, 5.0)]).map { value, half in
      let number = NumberSearchValue(
        prefix: random.pick(DateSearchValue.Prefix.allCases), lower: value - half,
        upper: value + half, value: value)
      return QuantitySearchValue(
        number: number, system: random.pick([nil, nil, ucum]),
        code: random.pick([nil, "mg", "g"]))
    }
  }

  private mutating func references() -> [ReferenceSearchValue] {
    random.some([
      .local(type: nil, id: "1"), .local(type: "Device", id: "2"), .local(type: "Group", id: "1"),
      .local(type: "Patient", id: "p1"), .absolute("http://x.example/fhir/Device/1"),
      .absolute("http://x.example/fhir/Device/2"),
      .identifier(TokenSearchValue(system: "http://s1", code: "a")),
      .identifier(TokenSearchValue(system: nil, code: "b")),
    ])
  }
}
