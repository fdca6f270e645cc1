// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Observations
import People
import Plans
import Storage

/// Commands that add own trackers and put trackers away.
package enum TrackerCommands {
  /// The name of trackers in the audit trail.
  private static let resource = "Tracker"

  /// Adds an own tracker.
  ///
  /// - Parameters:
  ///   - name: 1 to 60 characters, not the name of another own tracker in use.
  ///   - unit: for a number; may be empty.
  /// - Throws: ``DiaryError`` for a text that is not valid, and an error if the actor may not write.
  @discardableResult
  package static func add(
    _ name: String, scale: OwnScale, unit: String, of patient: PatientID,
    _ context: CommandContext, in writer: any SQLWriter
  ) throws -> Tracker {
    _ = try VitalCommands.authorize(.create, patient: patient, context)
    let name = DraftText.trimmed(name)
    let unit = scale == .number ? DraftText.trimmed(unit) : ""
    guard !name.isEmpty else { throw DiaryError.nameMissing }
    guard max(name.count, unit.count) <= TrackerStore.longestName, isPlain(name), isPlain(unit)
    else { throw DiaryError.nameTooLong }
    let own = try TrackerStore.rows(of: patient, in: writer).filter { $0.scale != "standard" }
    guard own.count < TrackerStore.most else { throw DiaryError.tooMany }
    guard !own.contains(where: { !$0.isEnded && $0.name.lowercased() == name.lowercased() }) else {
      throw DiaryError.nameTaken
    }
    let id: TrackerID = context.newID()
    try TrackerStore.save(
      NewTrackerRow(
        patient: patient, tracker: id, scale: scale.rawValue, name: name, unit: unit,
        created: context.now), in: writer)
    audit(.create, id, patient, context, in: writer)
    return Tracker(own: id, name: name, scale: scale, unit: unit)
  }

  /// Puts a tracker away; its entries stay, and a new entry of a standard one brings it back.
  package static func end(
    _ id: TrackerID, of patient: PatientID, _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    _ = try VitalCommands.authorize(.update, patient: patient, context)
    guard try TrackerStore.end(id, of: patient, at: context.now, in: writer) else {
      throw DiaryError.notFound
    }
    audit(.delete, id, patient, context, in: writer)
  }

  /// Lists a standard tracker among the person's own, with the unit of its latest entry.
  static func use(
    _ tracker: Tracker, unit: DiaryUnit?, of patient: PatientID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    guard tracker.standard != nil, !tracker.isMine || tracker.unit != unit else { return }
    try TrackerStore.save(
      NewTrackerRow(
        patient: patient, tracker: tracker.id, scale: "standard", name: "",
        unit: unit?.rawValue ?? "", created: now), in: writer)
  }

  private static func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
  }

  private static func audit(
    _ kind: AuditEntry.Kind, _ id: TrackerID, _ patient: PatientID, _ context: CommandContext,
    in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: context.now, actor: context.actor.accountID, kind: kind, patient: patient,
        resource: resource, resourceID: id.text, purpose: context.purpose.rawValue))
  }
}
