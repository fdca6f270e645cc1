// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import People
import Plans
import Storage

/// Why a look or a photo was not kept.
package enum AppearanceError: Error, Sendable {
  /// No such medicine or photo, or none that this person may change.
  case notFound
  /// No place of that number.
  case place
  /// The person's pictures would take more room than they may.
  case noRoom
  case storage(StorageError)
}

/// Changes of how a medicine looks; access is decided here, as for the medicine itself.
///
/// The prescription is not touched: what a hospital wrote stays as it was written.
package struct AppearanceCommands: Sendable {
  /// What changes stand for in the audit trail.
  package static let resource = "MedicineLook"

  package let patient: PatientID
  package let context: CommandContext

  package init(patient: PatientID, context: CommandContext) {
    self.patient = patient
    self.context = context
  }

  /// Keeps a look in place of the one before, or that nothing is said of it.
  package func keep(_ look: MedicineAppearance?, ofPlan plan: PlanID, in writer: any SQLWriter)
    throws(AppearanceError)
  {
    try changing {
      try check(plan, in: writer)
      guard try AppearanceQueries.one(ofPlan: plan, patient: patient, in: writer).look != look else {
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

  /// Keeps a photo at a place, instead of the one that stood there; gives the new one's id.
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

  /// Removes the photo at a place; it may be gone already.
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
