// SPDX-License-Identifier: Apache-2.0

import FHIR

/// Finds the references in a resource, and replaces them.
enum ReferenceReading {
  /// The deepest level that is read; the readers of JSON refuse more.
  private static let deepest = 128

  /// Returns the resources of this server that a resource refers to, each once and in order.
  ///
  /// - Parameter base: The address of the FHIR API.
  static func targets(in resource: JSONValue, base: String) -> [FoundResource.Key] {
    var found: [FoundResource.Key] = []
    var seen: Set<FoundResource.Key> = []
    each(resource, deepest) { reference in
      guard let key = key(of: reference, base: base), seen.insert(key).inserted else { return }
      found.append(key)
    }
    return found
  }

  /// Returns a resource whose references are replaced where the function returns another one.
  static func replacing(
    in value: JSONValue, _ replace: (String) -> String?
  ) -> JSONValue {
    switch value {
    case .array(let items): return .array(items.map { replacing(in: $0, replace) })
    case .object(let object):
      var result = JSONObject()
      for (key, inner) in object {
        if key == "reference", let reference = inner.string {
          result[key] = .string(replace(reference) ?? reference)
        } else {
          result[key] = replacing(in: inner, replace)
        }
      }
      return .object(result)
    default: return value
    }
  }

  /// Returns the resource of this server that a reference names; nil for any other reference.
  static func key(of reference: String, base: String) -> FoundResource.Key? {
    let own = "\(base)/"
    let local = reference.hasPrefix(own) ? reference.dropFirst(own.count) : reference[...]
    let parts = local.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 || (parts.count == 4 && parts[2] == "_history"),
      let type = FHIRType(rawValue: String(parts[0])),
      FHIRIdentifierText.isValidResourceID(String(parts[1]))
    else { return nil }
    return FoundResource.Key(type: type, id: String(parts[1]))
  }

  private static func each(_ value: JSONValue, _ levels: Int, _ visit: (String) -> Void) {
    guard levels > 0 else { return }
    switch value {
    case .array(let items): for item in items { each(item, levels - 1, visit) }
    case .object(let object):
      for (key, inner) in object {
        if key == "reference", let reference = inner.string {
          visit(reference)
        } else {
          each(inner, levels - 1, visit)
        }
      }
    default: break
    }
  }
}
