// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Identifiers
import Web

/// A call of a decision support service.
///
/// `fhirServer` and `fhirAuthorization` are not read, since the server never calls back.
struct CDSRequest: Sendable {
  /// The most entries of draft orders in one request.
  static let mostOrders = 50
  /// The most prefetched medicines that are read.
  private static let mostPrefetched = 200
  private static let users: Set<String> = [
    "Practitioner", "PractitionerRole", "Patient", "RelatedPerson",
  ]

  /// The patient, by the identifier in the calling system.
  let patient: PatientID
  /// The orders to check together.
  let orders: [CDSOrder]
  /// The references of the orders that cards may be about; nil for all of them.
  let selections: Set<String>?
  /// The prefetched medicines; nil if none were sent.
  let prefetched: [CDSOrder]?
  /// The prefetched patient's date of birth as written; nil if it was not sent.
  let birthDate: String?

  /// Reads a request.
  ///
  /// - Throws: ``Failure`` 400 that names the wrong member.
  init(_ body: JSONValue, for service: CDSService) throws {
    guard body.object != nil else {
      throw Failure.badRequest("structure", "The body must be a JSON object.")
    }
    guard body["hook"]?.string == service.hook else {
      throw Self.wrong("hook", "\"\(service.hook)\" for this service")
    }
    guard body["hookInstance"]?.string.flatMap({ UUID(uuidString: $0) }) != nil else {
      throw Self.wrong("hookInstance", "a UUID")
    }
    guard let context = body["context"], context.object != nil else {
      throw Self.wrong("context", "an object")
    }
    guard let user = context["userId"]?.string, Self.isUser(user) else {
      throw Self.wrong("context.userId", "a reference such as Practitioner/123")
    }
    guard let patient = context["patientId"]?.string, Self.isID(patient) else {
      throw Self.wrong("context.patientId", "the id of a Patient")
    }
    self.patient = PatientID(patient)
    orders = try service.checksOrders ? Self.orders(context) : []
    selections =
      try service == .orderSelect ? Self.selections(context, among: orders) : nil
    let prefetch = body["prefetch"] ?? .null
    guard prefetch.isNull || prefetch.object != nil else {
      throw Self.wrong("prefetch", "an object")
    }
    prefetched = try Self.prefetched(prefetch)
    birthDate = prefetch["patient"].flatMap { PatientView($0).birthDate }
  }

  private static func orders(_ context: JSONValue) throws -> [CDSOrder] {
    guard let bundle = context["draftOrders"], isBundle(bundle) else {
      throw wrong("context.draftOrders", "a Bundle")
    }
    guard bundle["entry"]?.array?.count ?? 0 <= mostOrders else {
      throw wrong("context.draftOrders", "a Bundle of at most \(mostOrders) entries")
    }
    return CDSOrder.all(in: bundle, prefix: "draft")
  }

  private static func selections(
    _ context: JSONValue, among orders: [CDSOrder]
  ) throws -> Set<String> {
    guard let list = context["selections"]?.array, list.count <= mostOrders else {
      throw wrong("context.selections", "a list of at most \(mostOrders) references")
    }
    let texts = list.compactMap(\.string)
    guard texts.count == list.count else {
      throw wrong("context.selections", "a list of references")
    }
    let known = Set(orders.map(\.reference))
    let unknown = texts.first { $0.hasPrefix("MedicationRequest/") && !known.contains($0) }
    guard unknown == nil else {
      throw wrong("context.selections", "a list of references to the draft orders")
    }
    return Set(texts)
  }

  private static func prefetched(_ prefetch: JSONValue) throws -> [CDSOrder]? {
    guard var bundle = prefetch["medications"], !bundle.isNull else { return nil }
    guard isBundle(bundle) else { throw wrong("prefetch.medications", "a Bundle") }
    bundle["entry"] = .array(Array((bundle["entry"]?.array ?? []).prefix(mostPrefetched)))
    return CDSOrder.all(in: bundle, prefix: "prefetched")
  }

  private static func isBundle(_ value: JSONValue) -> Bool {
    guard value["resourceType"]?.string == "Bundle" else { return false }
    guard let entries = value["entry"] else { return true }
    return entries.array?.allSatisfy { $0["resource"]?.object != nil } ?? false
  }

  private static func isUser(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    return parts.count == 2 && users.contains(parts[0]) && isID(parts[1])
  }

  private static func isID(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E: true
        default: false
        }
      }
  }

  private static func wrong(_ member: String, _ expected: String) -> Failure {
    .badRequest("value", "\(member) must be \(expected).")
  }
}
