// SPDX-License-Identifier: Apache-2.0
import FHIR

/// Copies the medicine that a resource refers to into the resource itself.
struct ImportedMedicines {
  let reading: ImportReading

  /// The maximum depth of ingredients that are medicines themselves.
  private static let maximumDepth = 8

  /// Returns the resource with a contained medicine instead of a reference to another entry.
  ///
  /// - Throws: `medicationMissing` if nothing names the medicine, `cyclicReference`.
  func inline(in resource: JSONValue, fullURL: String?) throws(ImportProblemReason) -> JSONValue {
    try checkContained(resource)
    guard let element = resource["medicationReference"] else { return resource }
    let display = element["display"]?.string
    guard let reference = element["reference"]?.string else {
      if display == nil { throw .medicationMissing }
      return resource
    }
    switch reading.references.target(of: reference, in: fullURL) {
    case .contained: return resource
    case .entry(let number):
      guard let kept = reading.medicines[number] else { throw .medicationMissing }
      var medication = try read(kept)
      medication = try standingAlone(medication, fullURL: kept.fullURL, path: [number])
      return insert(medication, into: resource, element: element)
    case .outside:
      if display == nil { throw .medicationMissing }
      return resource
    case .broken:
      guard let display else { throw .medicationMissing }
      var resource = resource
      resource["medicationReference"] = ["display": .string(display)]
      return resource
    }
  }

  private func insert(_ medication: JSONValue, into resource: JSONValue, element: JSONValue)
    -> JSONValue
  {
    var resource = resource
    var contained = resource["contained"]?.array ?? []
    let taken = Set(contained.compactMap { $0["id"]?.string })
    var id = "medication"
    var number = 2
    while taken.contains(id) {
      id = "medication-\(number)"
      number += 1
    }
    var medication = medication
    medication["id"] = .string(id)
    contained.append(medication)
    resource["contained"] = .array(contained)
    var reference = element
    reference["reference"] = .string("#\(id)")
    resource["medicationReference"] = reference
    return resource
  }

  /// Returns the medicine without references to resources that are not included.
  private func standingAlone(_ medication: JSONValue, fullURL: String?, path: [Int])
    throws(ImportProblemReason) -> JSONValue
  {
    try checkContained(medication)
    var result = medication
    if let ingredients = medication["ingredient"]?.array {
      var resolved: [JSONValue] = []
      for ingredient in ingredients {
        resolved.append(
          try self.ingredient(ingredient, of: medication, fullURL: fullURL, path: path))
      }
      result["ingredient"] = .array(resolved)
    }
    for element in ["contained", "text", "meta"] { result[element] = nil }
    if result["manufacturer"]?["reference"]?.string?.hasPrefix("#") ?? false {
      result["manufacturer"] = nil
    }
    return result
  }

  /// Returns an ingredient by its code instead of by reference.
  private func ingredient(
    _ ingredient: JSONValue, of medication: JSONValue, fullURL: String?, path: [Int]
  ) throws(ImportProblemReason) -> JSONValue {
    guard let element = ingredient["itemReference"], let text = element["reference"]?.string else {
      return ingredient
    }
    var code: JSONValue?
    switch reading.references.target(of: text, in: fullURL) {
    case .contained(let id):
      code = medication["contained"]?.array?.first { $0["id"]?.string == id }?["code"]
    case .entry(let number):
      guard !path.contains(number), path.count < Self.maximumDepth else {
        throw .cyclicReference
      }
      if let kept = reading.medicines[number] {
        let inner = try read(kept)
        _ = try standingAlone(inner, fullURL: kept.fullURL, path: path + [number])
        code = inner["code"]
      } else if let name = reading.names[number] {
        code = ["text": .string(name)]
      }
    case .outside: return ingredient
    case .broken: break
    }
    var result = ingredient
    result["itemReference"] = nil
    result["itemCodeableConcept"] =
      code ?? ["text": .string(element["display"]?.string ?? text)]
    return result
  }

  /// Throws if contained resources refer to each other in a cycle.
  private func checkContained(_ resource: JSONValue) throws(ImportProblemReason) {
    guard let contained = resource["contained"]?.array, contained.count > 0 else { return }
    var links: [String: Set<String>] = [:]
    for item in contained {
      guard let id = item["id"]?.string else { continue }
      var found: Set<String> = []
      Self.localReferences(in: item, into: &found)
      links[id] = found
    }
    // Remove resources without remaining references until none is left to remove; a cycle remains.
    var open = links
    var hasChanged = true
    while hasChanged {
      let free = open.filter { $0.value.isDisjoint(with: open.keys) }.map(\.key)
      for id in free { open[id] = nil }
      hasChanged = !free.isEmpty
    }
    if !open.isEmpty { throw .cyclicReference }
  }

  private static func localReferences(in value: JSONValue, into found: inout Set<String>) {
    switch value {
    case .array(let items): for item in items { localReferences(in: item, into: &found) }
    case .object(let object):
      for (key, item) in object {
        if key == "reference", let text = item.string, text.hasPrefix("#"), text.count > 1 {
          found.insert(String(text.dropFirst()))
        }
        localReferences(in: item, into: &found)
      }
    default: break
    }
  }

  private func read(_ kept: ImportReading.Kept) throws(ImportProblemReason) -> JSONValue {
    do throws(JSONSyntaxError) {
      return try JSONValue(parsing: kept.content)
    } catch {
      throw .unreadable(.syntax(error))
    }
  }
}
