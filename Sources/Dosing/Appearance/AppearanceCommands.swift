// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import People
import Plans
import Storage

/// A reason why an appearance or a photo was not saved.
package enum AppearanceError: Error, Sendable {
  /// There is no such medicine or photo, or the person may not change it.
  case notFound
  /// The position is outside 1 to ``MedicinePhoto/most``.
  case place
  /// The patient's pictures would exceed ``MedicinePhoto/mostBytes``.
  case noRoom
  case storage(StorageError)
}

/// Changes the appearance of a medicine; access is checked here, as for the medicine itself.
///
/// The prescription is not changed: a hospital's record stays as it was written.
package struct AppearanceCommands: Sendable {
  /// The resource name of these changes in the audit trail.
  package static let resource = "MedicineLook"

  /// The patient who takes the medicine.
  package let patient: PatientID
  /// The actor, clock and identifiers of the command.
  package let context: CommandContext

  /// Creates the commands for one patient.
  package init(patient: PatientID, context: CommandContext) {
    self.patient = patient
    self.context = context
  }

  /// Saves an appearance in place of the earlier one, or removes it if nil.
  package func keep(_ look: MedicineAppearance?, ofPlan plan: PlanID, in writer: any SQLWriter)
    throws(AppearanceError)
  {
    try changing {
      try check(plan, in: writer)
      guard try AppearanceQueries.one(ofPlan: plan, patient: patient, in: writer).look != look
      else {
        return
      }
      if let look {
        try AppearanceStore.keep(
          look, ofPlan: plan, patient: patient, at: context.now, in: writer)
      } else {
        try AppearanceStore.remove(lookOfPlan: plan, patient: patient, in: writer)
      }
      audit(look == nil ? .delete : .update, plan, in: writer)
    }
  }

  /// Saves a photo at a position, replacing the one there, and returns the identifier of the new photo.
  ///
  /// - Parameter place: a number from 1 to ``MedicinePhoto/most``.
  @discardableResult
  package func keep(
    _ pictures: MedicinePictures, at place: Int, ofPlan plan: PlanID, cipher: FieldCipher,
    in writer: any SQLWriter
  ) throws(AppearanceError) -> String {
    try changing {
      try check(plan, in: writer)
      guard (1...MedicinePhoto.most).contains(place) else { throw AppearanceError.place }
      let others = try AppearanceStore.bytes(of: patient, without: (plan, place), in: writer)
      guard others.addingClamped(Int64(pictures.byteCount)) <= Int64(MedicinePhoto.mostBytes) else {
        throw AppearanceError.noRoom
      }
      let photo = MedicinePhoto(
        id: context.newIdentifier(), place: place, width: pictures.width, height: pictures.height)
      try AppearanceStore.keep(
        pictures, as: photo, ofPlan: plan, patient: patient, cipher: cipher, at: context.now,
        in: writer)
      audit(.update, plan, in: writer)
      return photo.id
    }
  }

  /// Removes the photo at a position; if there is none, nothing changes.
  package func removePhoto(at place: Int, ofPlan plan: PlanID, in writer: any SQLWriter)
    throws(AppearanceError)
  {
    try changing {
      try check(plan, in: writer)
      let isRemoved = try AppearanceStore.remove(
        photoAt: place, ofPlan: plan, patient: patient, in: writer)
      if isRemoved { audit(.delete, plan, in: writer) }
    }
  }

  // MARK: Steps

  private func check(_ plan: PlanID, in reader: any SQLReader) throws {
    let decision = decide(
      actor: context.actor, action: .update, patient: patient, resource: "MedicationRequest",
      purpose: context.purpose)
    guard case .allow = decision else { throw AppearanceError.notFound }
    let row = try reader.first(
      "SELECT 1 FROM plans WHERE patient = $1 AND plan = $2", [.text(patient), .text(plan)])
    guard row != nil else { throw AppearanceError.notFound }
  }

  private func audit(_ kind: AuditEntry.Kind, _ plan: PlanID, in writer: any SQLWriter) {
    writer.audit(
      AuditEntry(
        at: context.now, actor: context.actor.accountID, kind: kind, patient: patient,
        resource: Self.resource, resourceID: plan.text, version: nil,
        purpose: context.purpose.rawValue, outcome: .success))
  }

  private func changing<Result>(_ work: () throws -> Result) throws(AppearanceError) -> Result {
    do {
      return try work()
    } catch let error as AppearanceError {
      throw error
    } catch let error as StorageError {
      throw .storage(error)
    } catch {
      throw .notFound
    }
  }
}
