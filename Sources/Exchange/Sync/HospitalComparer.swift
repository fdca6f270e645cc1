// SPDX-License-Identifier: Apache-2.0

import FHIR
import Prescriptions

/// Compares the prescriptions known here with those that the server still has.
///
/// Nothing counts as gone unless the whole list of its type was read without it, and the server, asked for
/// the prescription itself, does not have it either.
struct HospitalComparer {
  let client: HospitalClient
  /// The identifier of the person on that server.
  let person: String
  /// True if the patient has another record there, with a connection of its own.
  ///
  /// Prescriptions of the other record are not in this list either.
  let hasOtherRecord: Bool

  /// The maximum number of prescriptions asked for one by one in a fetch; the rest follow the next time.
  static let maximumReads = 100
  /// The number of prescriptions that may be gone before a person is asked about all of them.
  static let unsuspicious = 2

  /// The result of a comparison.
  struct Result: Sendable {
    /// The prescriptions that the server no longer has, and that no one was asked about yet.
    var gone: [ForeignPrescription] = []
    /// The prescriptions that the server has again, after a question about them.
    var back: [ForeignPrescription] = []
    /// The number of prescriptions that were compared.
    var compared = 0

    /// True if so many are gone that the server may be wrong: more than two, and more than half.
    var isSuspicious: Bool {
      gone.count > HospitalComparer.unsuspicious && gone.count * 2 > compared
    }
  }

  func compare(
    _ known: [HospitalKnown], with presence: HospitalPresence
  ) async throws(HospitalTrouble) -> Result {
    // An identifier that two prescriptions share says nothing about either.
    var uses: [String: Int] = [:]
    for key in known.flatMap(\.prescription.keys) { uses[key, default: 0] += 1 }
    var result = Result()
    var reads = 0
    for one in known {
      let own = one.prescription.keys.filter { uses[$0] == 1 }
      guard presence.keys.isDisjoint(with: own) else {
        if one.prescription.isAsked {
          result.back.append(one.prescription)
        } else {
          result.compared += 1
        }
        continue
      }
      guard !one.prescription.isAsked, one.places.allSatisfy({ presence.covers($0.type) }) else {
        continue
      }
      result.compared += 1
      guard reads < Self.maximumReads else { continue }
      var isGone = true
      for place in one.places where isGone {
        reads += 1
        isGone = try await self.isGone(
          place, isUnsure: hasOtherRecord || presence.isEmpty(place.type))
      }
      if isGone { result.gone.append(one.prescription) }
    }
    return result
  }

  /// Asks the server for one prescription.
  ///
  /// - Parameter isUnsure: True if the list says little, such as an empty one, which may be an error. Then
  ///   only a resource that was deleted explicitly is gone.
  private func isGone(
    _ place: (type: String, id: String), isUnsure: Bool
  ) async throws(HospitalTrouble) -> Bool {
    do throws(HospitalTrouble) {
      let resource = try await client.document(client.base.url("\(place.type)/\(place.id)"))
      guard resource["resourceType"]?.string == place.type, resource["id"]?.string == place.id,
        let reference = (resource["subject"] ?? resource["patient"])?["reference"]?.string,
        let owner = client.base.local(reference), owner.type == "Patient"
      else { return false }
      // It was moved to the person for whom it was meant.
      return owner.id != person && !isUnsure
    } catch {
      switch error {
      case .gone: return true
      case .notFound: return !isUnsure
      case .expired, .busy, .unreachable, .failing: throw error
      // The server does not say.
      default: return false
      }
    }
  }
}
