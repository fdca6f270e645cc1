// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Identifiers
import Presentation
import Storage

/// A line of the audit trail as a FHIR AuditEvent, in the profiles of IHE Basic Audit Log Patterns
/// (BALP): Patient Read, Query, Create, Update and Delete.
///
/// It is created on request from the stored line. Lines contain no network address and no search
/// text, so the client's network is marked as unknown and the query is rebuilt from the line.
struct FHIRAuditEvent: Sendable {
  let event: AuditEvent
  /// The name of the actor, if the account still exists.
  let name: String?
  /// The name of the app that acted for them; nil if none did, or it is no longer registered.
  var app: String?
  let baseURL: String

  private var entry: AuditEntry { event.entry }

  var json: JSONValue {
    var object = JSONObject()
    object["resourceType"] = "AuditEvent"
    object["id"] = .string(event.id)
    object["meta"] = meta
    object["type"] = shape.type
    object["subtype"] = shape.subtype.map { .array([$0]) }
    object["action"] = .string(shape.action)
    object["recorded"] = .string(instant)
    object["outcome"] = .string(entry.outcome == .success ? "0" : "4")
    object["purposeOfEvent"] = purpose.map { .array([["coding": [$0]]]) }
    object["agent"] = .array([client, server, user] + [application].compactMap(\.self))
    object["source"] = [
      "observer": ["display": .string("\(baseURL)/fhir")],
      "type": [Self.coding(.sourceType, "4", "Application Server")],
    ]
    object["entity"] = .array([data, patient].compactMap(\.self))
    return .object(object)
  }

  private var instant: String {
    FHIRDateTime.instantText(milliseconds: entry.at.milliseconds, offsetMinutes: 0)
  }

  private var meta: JSONValue {
    var meta = JSONObject()
    // A line never changes, so there is only one version.
    meta["versionId"] = "1"
    meta["lastUpdated"] = .string(instant)
    if let profile = shape.profile, entry.patient != nil, entry.outcome == .success,
      FHIRType(rawValue: entry.resource) != nil
    {
      let base = "https://profiles.ihe.net/ITI/BALP/StructureDefinition/IHE.BasicAudit."
      meta["profile"] = .array([.string("\(base)\(profile)")])
    }
    return .object(meta)
  }

  // MARK: Action

  private struct Shape {
    var type = FHIRAuditEvent.coding(.eventType, "rest", "Restful Operation")
    var subtype: JSONValue?
    var action: String
    var profile: String?
    /// Data flow to the client when it reads, and from it in all other cases.
    var isRead = false

    init(_ interaction: String, action: String, profile: String? = nil, isRead: Bool = false) {
      subtype = FHIRAuditEvent.coding(.interaction, interaction, interaction)
      self.action = action
      self.profile = profile
      self.isRead = isRead
    }
  }

  private var shape: Shape {
    switch entry.kind {
    case .read: return Shape("read", action: "R", profile: "PatientRead", isRead: true)
    case .search: return Shape("search", action: "E", profile: "PatientQuery")
    case .create: return Shape("create", action: "C", profile: "PatientCreate")
    case .update: return Shape("update", action: "U", profile: "PatientUpdate")
    case .delete: return Shape("delete", action: "D", profile: "PatientDelete")
    case .answer: return Shape("update", action: "U")
    case .emergencyAccess: return Shape("read", action: "R", isRead: true)
    case .export, .print:
      var shape = Shape("read", action: "R", isRead: true)
      shape.type = Self.coding(.dicom, "110106", "Export")
      return shape
    case .signIn, .signOut, .administration:
      var shape = Shape("operation", action: "E")
      shape.type = Self.coding(.dicom, "110114", "User Authentication")
      shape.subtype = nil
      return shape
    }
  }

  private var purpose: JSONValue? {
    if entry.kind == .emergencyAccess { return Self.coding(.reason, "BTG", "break the glass") }
    switch entry.purpose {
    case "care", "prescribing": return Self.coding(.reason, "TREAT", "treatment")
    case "administration": return Self.coding(.reason, "HOPERAT", "healthcare operations")
    case "system": return Self.coding(.reason, "HSYSADMIN", "health system administration")
    default: return nil
    }
  }

  // MARK: Actor

  private var client: JSONValue {
    let unknown: JSONValue = [
      "extension": [
        [
          "url": "http://hl7.org/fhir/StructureDefinition/data-absent-reason",
          "valueCode": "unknown",
        ]
      ]
    ]
    return [
      "type": Self.concept(machine(isSource: !shape.isRead)),
      "who": ["display": "client"], "requestor": false, "network": unknown,
    ]
  }

  private var server: JSONValue {
    [
      "type": Self.concept(machine(isSource: shape.isRead)),
      "who": ["display": .string("\(baseURL)/fhir")], "requestor": false,
      "network": ["address": .string("\(baseURL)/fhir"), "type": "5"],
    ]
  }

  private func machine(isSource: Bool) -> JSONValue {
    isSource
      ? Self.coding(.dicom, "110153", "Source Role ID")
      : Self.coding(.dicom, "110152", "Destination Role ID")
  }

  private var user: JSONValue {
    let isRecipient = shape.isRead || entry.kind == .search
    var who = JSONObject()
    who["identifier"] = [
      "system": .string("\(baseURL)/accounts"), "value": .string(entry.actor.text),
    ]
    who["display"] = name.map(JSONValue.string)
    return [
      "type": Self.concept(
        isRecipient
          ? Self.coding(.participation, "IRCP", "information recipient")
          : Self.coding(.participation, "AUT", "author (originator)")),
      "who": .object(who), "requestor": true,
    ]
  }

  /// The app that acted in the name of the account.
  private var application: JSONValue? {
    guard let id = entry.app else { return nil }
    var who = JSONObject()
    who["identifier"] = [
      "system": .string("\(baseURL)/apps"), "value": .string(id.text),
    ]
    who["display"] = app.map(JSONValue.string)
    return [
      "type": Self.concept(Self.coding(.dicom, "110150", "Application")), "who": .object(who),
      "requestor": false,
    ]
  }

  // MARK: Means

  private var data: JSONValue {
    let object = Self.coding(.entityType, "2", "System Object")
    if entry.kind == .search {
      let query = "\(entry.resource)?patient=\(entry.patient?.text ?? "")"
      return [
        "type": object, "role": Self.coding(.role, "24", "Query"),
        "query": .string(Data(query.utf8).base64EncodedString()),
      ]
    }
    var what = JSONObject()
    if let id = entry.resourceID, FHIRType(rawValue: entry.resource) != nil {
      let version = entry.version.map { "/_history/\($0)" } ?? ""
      what["reference"] = .string("\(entry.resource)/\(id)\(version)")
    } else {
      let words = [entry.resource, entry.resourceID].compactMap(\.self)
      what["display"] = .string(words.joined(separator: " "))
    }
    var entity = JSONObject()
    entity["what"] = .object(what)
    entity["type"] = object
    entity["role"] = Self.coding(.role, "4", "Domain Resource")
    if entry.count > 1 {
      entity["detail"] = [["type": "count", "valueString": .string(String(entry.count))]]
    }
    return .object(entity)
  }

  private var patient: JSONValue? {
    entry.patient.map { patient in
      [
        "what": ["reference": .string("Patient/\(patient)")],
        "type": Self.coding(.entityType, "1", "Person"), "role": Self.coding(.role, "1", "Patient"),
      ]
    }
  }

  // MARK: Codes

  private enum CodeSystem: String {
    case eventType = "http://terminology.hl7.org/CodeSystem/audit-event-type"
    case interaction = "http://hl7.org/fhir/restful-interaction"
    case dicom = "http://dicom.nema.org/resources/ontology/DCM"
    case reason = "http://terminology.hl7.org/CodeSystem/v3-ActReason"
    case participation = "http://terminology.hl7.org/CodeSystem/v3-ParticipationType"
    case entityType = "http://terminology.hl7.org/CodeSystem/audit-entity-type"
    case role = "http://terminology.hl7.org/CodeSystem/object-role"
    case sourceType = "http://terminology.hl7.org/CodeSystem/security-source-type"
  }

  private static func coding(_ system: CodeSystem, _ code: String, _ display: String) -> JSONValue {
    [
      "system": .string(system.rawValue), "code": .string(code), "display": .string(display),
    ]
  }

  private static func concept(_ coding: JSONValue) -> JSONValue { ["coding": .array([coding])] }
}
