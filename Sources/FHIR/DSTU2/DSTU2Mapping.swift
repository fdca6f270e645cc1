// SPDX-License-Identifier: Apache-2.0

/// Converts the elements of one DSTU2 resource, by a rule for each element that differs.
struct DSTU2Mapping {
  /// The conversion of an element.
  enum Rule: Sendable {
    /// The name and meaning are the same.
    case keep
    /// The name differs.
    case rename(String)
    /// A single value in DSTU2, a list in R4.
    case list(String)
    /// A list in DSTU2, a single value in R4: the first one.
    case first(String)
    /// A string that is an Annotation in R4.
    case annotation
    /// A Reference that becomes a property of objects in a list.
    case wrapped(String, in: String)
    /// An element whose parts have rules of their own.
    case parts([String: Rule], named: String)
    /// A value with its own conversion function.
    case special(@Sendable (inout DSTU2Mapping, JSONValue, String, inout JSONValue) -> Void)
  }

  private(set) var notes: [DSTU2.Note] = []

  private static let common: [String: Rule] = [
    "resourceType": .keep, "id": .keep, "meta": .keep, "implicitRules": .keep, "language": .keep,
    "text": .keep, "extension": .keep, "modifierExtension": .keep, "identifier": .keep,
    "contained": .special { mapping, value, path, target in
      let items = value.array ?? []
      target["contained"] = .array(
        items.enumerated().map { mapping.resource($1, path: "\(path)[\($0)]") })
    },
  ]

  mutating func resource(_ resource: JSONValue, path: String) -> JSONValue {
    let rules: [String: Rule]
    switch resource["resourceType"]?.string {
    case "MedicationOrder": rules = Self.order
    case "MedicationAdministration": rules = Self.administration
    case "Medication": rules = Self.medication
    case "Patient": rules = Self.patient
    default: return resource
    }
    var converted = map(resource, path: path, rules: rules.merging(Self.common) { own, _ in own })
    if resource["resourceType"]?.string == "MedicationOrder", converted["status"] == nil {
      // DSTU2 may omit the status; R4 has a code for an unknown one.
      converted["status"] = "unknown"
      converted["intent"] = "order"
    }
    return converted
  }

  mutating func note(_ element: String, _ fate: DSTU2.Note.Fate = .leftOut) {
    notes.append(DSTU2.Note(element: element, fate: fate))
  }

  mutating func map(_ value: JSONValue, path: String, rules: [String: Rule]) -> JSONValue {
    guard let object = value.object else { return value }
    var target: JSONValue = .object(JSONObject())
    for (key, item) in object {
      let isSibling = key.hasPrefix("_")
      let place = "\(path).\(key)"
      guard let rule = rules[isSibling ? String(key.dropFirst()) : key] else {
        note(place)
        continue
      }
      switch rule {
      case .keep: target[key] = item
      case .rename(let name): target[isSibling ? "_" + name : name] = item
      case _ where isSibling: note(place)
      case .list(let name): target[name] = item.array == nil ? [item] : item
      case .first(let name):
        let items = item.array ?? [item]
        target[name] = items.first
        for index in items.indices.dropFirst() { note("\(place)[\(index)]") }
      case .annotation:
        // Drafts after DSTU2 already have a list of Annotations.
        target[key] = item.string == nil ? item : [["text": item]]
      case .wrapped(let name, let list): target[list] = [.object(JSONObject([(name, item)]))]
      case .parts(let rules, let name):
        if let items = item.array {
          target[name] = .array(
            items.enumerated().map { map($1, path: "\(place)[\($0)]", rules: rules) })
        } else {
          target[name] = map(item, path: place, rules: rules)
        }
      case .special(let write): write(&self, item, place, &target)
      }
    }
    return target
  }
}
