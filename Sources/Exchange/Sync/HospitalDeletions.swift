// SPDX-License-Identifier: Apache-2.0

import FHIR
import Storage

/// Reads the addresses of deleted resources from the history of a type, where the server offers it.
///
/// Such a history may include other people. Only the addresses of deletions are read, and nothing is kept.
/// A deletion found here only makes the comparison happen earlier.
struct HospitalDeletions {
  let client: HospitalClient

  /// The maximum number of pages; the daily comparison finds the rest.
  static let maximumPages = 20
  /// The time by which the history overlaps the last one, in milliseconds, since the clocks may differ.
  private static let overlap: Int64 = 60 * 60_000

  /// Returns true if one of the places was deleted since a time.
  ///
  /// - Throws: only ``HospitalTrouble/expired``; without an answer, nothing is known.
  func concern(
    _ places: [(type: String, id: String)], types: Set<String>, since: Timestamp
  ) async throws(HospitalTrouble) -> Bool {
    for type in types.sorted() {
      let wanted = Set(places.filter { $0.type == type }.map(\.id))
      if wanted.isEmpty { continue }
      if try await isAnyDeleted(wanted, of: type, since: since) { return true }
    }
    return false
  }

  private func isAnyDeleted(
    _ wanted: Set<String>, of type: String, since: Timestamp
  ) async throws(HospitalTrouble) -> Bool {
    let instant = FHIRDateTime.instantText(
      milliseconds: since.milliseconds - Self.overlap, offsetMinutes: 0)
    var address: String? = client.base.url(
      "\(type)/_history", [("_since", instant), ("_count", "200")])
    var seen: Set<String> = []
    while let url = address, seen.count < Self.maximumPages, seen.insert(url).inserted {
      let bundle: JSONValue
      do throws(HospitalTrouble) {
        bundle = try await client.document(url)
      } catch {
        guard error != .expired else { throw error }
        return false
      }
      guard bundle["resourceType"]?.string == "Bundle" else { return false }
      for entry in bundle["entry"]?.array ?? [] {
        guard entry["request"]?["method"]?.string == "DELETE",
          let text = entry["request"]?["url"]?.string ?? entry["fullUrl"]?.string,
          let place = client.base.local(text), place.type == type, wanted.contains(place.id)
        else { continue }
        return true
      }
      let link = (bundle["link"]?.array ?? []).first { $0["relation"]?.string == "next" }
      address = link?["url"]?.string.flatMap { client.base.followed($0) }
    }
    return false
  }
}
