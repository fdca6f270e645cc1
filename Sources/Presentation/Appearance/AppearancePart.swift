// SPDX-License-Identifier: Apache-2.0

import Dosing
import HTML
import Identifiers
import Localization
import Storage
import Web

/// The appearances of a person's medicines, for a page that shows some of them.
package struct MedicineAppearances: Sendable, Hashable {
  private let patient: PatientID
  private let known: [PlanID: KnownAppearance]

  /// Creates an empty set, which shows nothing.
  package init() {
    patient = PatientID("")
    known = [:]
  }

  /// Reads the appearances of all the person's medicines; the caller has checked that the actor may
  /// see them.
  package init(of patient: PatientID, in reader: any SQLReader) throws(StorageError) {
    self.patient = patient
    known = try AppearanceQueries.all(of: patient, in: reader)
  }

  /// Reads the appearance of one medicine; the caller has checked that the actor may see it.
  package init(ofPlan plan: PlanID, patient: PatientID, in reader: any SQLReader)
    throws(StorageError)
  {
    self.patient = patient
    let found = try AppearanceQueries.one(ofPlan: plan, patient: patient, in: reader)
    known = found.isEmpty ? [:] : [plan: found]
  }

  /// The appearance of a plan's medicine; nil if none is recorded.
  package subscript(plan: PlanID) -> KnownAppearance? { known[plan] }

  /// Returns one line with a small picture and the description; nil if none is recorded.
  package func row(_ plan: PlanID, _ name: String, _ localizer: Localizer) -> AppearancePart? {
    part(plan, name, .row, localizer)
  }

  /// Returns the drawing and the photos, large enough to recognise across a room; nil if none is
  /// recorded.
  package func large(_ plan: PlanID, _ name: String, _ localizer: Localizer) -> AppearancePart? {
    part(plan, name, .large, localizer)
  }

  /// Returns the drawing and its description, without photos; nil if none is recorded.
  package func drawn(_ plan: PlanID, _ localizer: Localizer) -> AppearancePart? {
    part(plan, "", .drawing, localizer)
  }

  /// Returns the photo, or else the drawing with its description for screen readers; nil if none is
  /// recorded.
  package func picture(_ plan: PlanID, _ name: String, _ localizer: Localizer) -> AppearancePart? {
    part(plan, name, .picture, localizer)
  }

  private func part(
    _ plan: PlanID, _ name: String, _ extent: AppearancePart.Extent, _ localizer: Localizer
  ) -> AppearancePart? {
    known[plan].map {
      AppearancePart(known: $0, patient: patient, name: name, extent: extent, localizer: localizer)
    }
  }
}

/// The appearance of a medicine: the drawing with its description, and photos.
package struct AppearancePart: PagePart {
  /// The size and the content of the part: a line, a large view, a line without photos, or only a
  /// small picture.
  package enum Extent: Sendable {
    case row, large, drawing, picture
  }

  let known: KnownAppearance
  let patient: PatientID
  /// The medicine's name.
  let name: String
  let extent: Extent
  let localizer: Localizer

  /// Creates the part for one medicine.
  ///
  /// - Parameters:
  ///   - patient: The patient whose photos are linked.
  ///   - name: The name of the medicine, for the alternative text of photos.
  package init(
    known: KnownAppearance, patient: PatientID, name: String, extent: Extent, localizer: Localizer
  ) {
    self.known = known
    self.patient = patient
    self.name = name
    self.extent = extent
    self.localizer = localizer
  }

  /// Creates a line with the drawing and its description; nil if there is no appearance.
  package init?(_ look: MedicineAppearance?, _ localizer: Localizer) {
    guard let look else { return nil }
    self.init(
      known: KnownAppearance(look: look), patient: PatientID(""), name: "", extent: .drawing,
      localizer: localizer)
  }

  private var words: AppearanceFormatter { AppearanceFormatter(localizer: localizer) }

  /// The line or large view; empty for a drawing if there is only a photo.
  package var markup: Markup {
    switch extent {
    case .row:
      return line(known.look.map { AppearanceDrawing(look: $0) }, known.photos.first.map(thumbnail))
    case .drawing:
      return known.look == nil
        ? Markup() : line(known.look.map { AppearanceDrawing(look: $0) }, nil)
    case .picture:
      if let photo = known.photos.first { return thumbnail(photo) }
      guard let look = known.look else { return Markup() }
      return """
        \(AppearanceDrawing(look: look))<span class="visually-hidden">\(words.text(look))</span>
        """
    case .large:
      let drawing = known.look.map { AppearanceDrawing(look: $0, side: 112) }
      return """
        <div class="look-large">\(drawing)\
        \(known.look.map { "<p>\(words.text($0))</p>" as Markup })\(each: known.photos, photo)</div>
        """
    }
  }

  /// Returns a line of spans, which is also valid inside a line of text.
  private func line(_ drawing: AppearanceDrawing?, _ photo: Markup?) -> Markup {
    """
    <span class="look-line">\(drawing)\(photo)\
    \(known.look.map { "<span>\(words.text($0))</span>" as Markup })</span>
    """
  }

  private func thumbnail(_ photo: MedicinePhoto) -> Markup {
    """
    <img class="look-thumb" src="\(AppearancePhotoAddress.of(photo, patient: patient, .small))" \
    alt="\(words.photo(photo.place, of: name, known.look))" width="48" height="48" loading="lazy">
    """
  }

  private func photo(_ photo: MedicinePhoto) -> Markup {
    """
    <img class="look-photo" src="\(AppearancePhotoAddress.of(photo, patient: patient, .large))" \
    alt="\(words.photo(photo.place, of: name, known.look))" width="\(photo.width)" \
    height="\(photo.height)" loading="lazy">
    """
  }
}
