// SPDX-License-Identifier: Apache-2.0

/// A change of one element in the object that has it.
///
/// The property with an underscore, which has ids and extensions of primitive values, is kept in step.
enum ElementEdit {
  case set(String, JSONValue)
  case rename(String, to: String, JSONValue)
  case remove(String)
  case append(String, JSONValue)
  case insert(String, at: Int, JSONValue)
  case replaceItem(String, at: Int, JSONValue)
  case removeItem(String, at: Int)
  case moveItem(String, from: Int, to: Int)

  /// Changes the object at the end of the steps, which must exist.
  func apply(to value: inout JSONValue, along steps: ArraySlice<PatchStep>) {
    switch (value, steps.first) {
    case (.object(var object), nil):
      value = .null
      apply(to: &object)
      value = .object(object)
    case (.object(var object), .key(let key)?):
      guard let index = object.entries.firstIndex(where: { $0.key == key }) else { return }
      value = .null
      apply(to: &object.entries[index].value, along: steps.dropFirst())
      value = .object(object)
    case (.array(var items), .index(let index)?):
      guard items.indices.contains(index) else { return }
      value = .null
      apply(to: &items[index], along: steps.dropFirst())
      value = .array(items)
    default: return
    }
  }

  private func apply(to object: inout JSONObject) {
    switch self {
    case .set(let key, let value):
      object[key] = value
      object["_" + key] = nil
    case .rename(let key, let newKey, let value):
      object["_" + key] = nil
      guard let index = object.entries.firstIndex(where: { $0.key == key }) else {
        object[newKey] = value
        return
      }
      object.entries[index] = JSONObject.Entry(key: newKey, value: value)
    case .remove(let key):
      object[key] = nil
      object["_" + key] = nil
    case .append(let key, let value):
      change(key, in: &object) { $0.append(ElementItem(value: value)) }
    case .insert(let key, let index, let value):
      change(key, in: &object) { $0.insert(ElementItem(value: value), at: index) }
    case .replaceItem(let key, let index, let value):
      change(key, in: &object) { $0[index] = ElementItem(value: value) }
    case .removeItem(let key, let index): change(key, in: &object) { $0.remove(at: index) }
    case .moveItem(let key, let source, let destination):
      change(key, in: &object) { items in
        let item = items.remove(at: source)
        items.insert(item, at: destination)
      }
    }
  }

  /// Changes a list together with its underscore property, and removes both if they become empty.
  private func change(
    _ key: String, in object: inout JSONObject, by body: (inout [ElementItem]) -> Void
  ) {
    let values = object[key]?.array ?? []
    let siblings = object["_" + key]?.array ?? []
    var items = (0..<max(values.count, siblings.count)).map { index in
      ElementItem(
        value: index < values.count ? values[index] : .null,
        sibling: index < siblings.count ? siblings[index] : .null)
    }
    body(&items)
    set(items.map(\.value), as: key, in: &object)
    set(items.map(\.sibling), as: "_" + key, in: &object)
  }

  /// Sets a list; one without content is removed.
  private func set(_ items: [JSONValue], as key: String, in object: inout JSONObject) {
    if items.allSatisfy(\.isNull) {
      object[key] = nil
    } else {
      object[key] = .array(items)
    }
  }
}

/// An item of a list: its value, and its id and extensions if it is primitive.
struct ElementItem {
  var value: JSONValue
  var sibling: JSONValue = .null
}
