// SPDX-License-Identifier: Apache-2.0

import Dosing
import HTML
import HTTPTypes
import Hummingbird
import Localization
import Plans
import Presentation
import Web

/// The page that records a medicine's appearance and photos.
struct AppearancePage: Sendable {
  let plan: Plan
  let known: KnownAppearance
  let input: AppearanceInput
  /// The mistake in a photo, with its position.
  let photo: (place: Int, mistake: AppearancePhotoMistake)?

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("appearance.title", ["name": .text(plan.medicineName)])
    frame.lead = localizer.text("appearance.lead")
    frame.place = .medicines
    frame.back = .init(plan.medicineName, address: "/medicines/\(plan.id)")
    var errors = input.errors(localizer)
    if let photo {
      errors.append(
        FieldError(field: Self.field(photo.place), message: photo.mistake.message(localizer)))
    }
    frame.hasErrors = !errors.isEmpty
    if errors.isEmpty, let done = call.queryValue("done"),
      ["saved", "photo", "removed"].contains(done)
    {
      frame.flash = FlashBar(localizer.text("appearance.done", ["what": .text(done)]))
    }
    let status: HTTPResponse.Status =
      photo?.mistake.status ?? (errors.isEmpty ? .ok : .unprocessableContent)
    let words = Form(
      action: AppearanceRoutes.address(of: plan.id), token: call.formToken,
      fields: AppearanceFields(input: input, localizer: localizer).markup,
      buttons: Button(
        localizer.text("appearance.save"), icon: .check, object: plan.medicineName,
        person: call.formToken.personName
      ).markup)
    return call.page(
      frame,
      """
      <div class="narrow stack-large">\(ErrorSummary(errors, localizer: localizer))\
      \(Notice(.information, title: localizer.text("appearance.safety")))\(current(localizer))\(words)\
      \(Section(localizer.text("appearance.photos"), id: "photos", photos(call)))</div>
      """, status: status)
  }

  /// The stored appearance, without the rejected input.
  private func current(_ localizer: Localizer) -> AppearancePart? {
    guard known.look != nil else { return nil }
    return AppearancePart(
      known: KnownAppearance(look: known.look), patient: plan.patient, name: plan.medicineName,
      extent: .large, localizer: localizer)
  }

  // MARK: Photos

  private func photos(_ call: Call) -> Markup {
    let localizer = call.localizer
    let free = (1...MedicinePhoto.most).filter { place in
      !known.photos.contains { $0.place == place }
    }
    // The error is shown at its own position.
    let next = free.first { $0 == photo?.place } ?? free.first
    return """
      <div class="stack"><p>\(localizer.text("appearance.photo.lead"))</p>\
      \(each: known.photos, { kept($0, call) })\
      \(next.map { sending($0, isNew: true, call) })</div>
      """
  }

  private func kept(_ photo: MedicinePhoto, _ call: Call) -> Markup {
    let localizer = call.localizer
    let words = AppearanceFormatter(localizer: localizer).photo(
      photo.place, of: plan.medicineName, known.look)
    return """
      <div class="card stack"><img class="look-photo" \
      src="\(AppearancePhotoAddress.of(photo, patient: plan.patient, .large))" alt="\(words)" \
      width="\(photo.width)" height="\(photo.height)">\
      \(FormButton(
        localizer.text("appearance.photo.remove"),
        action: "\(AppearancePhotos.form(plan.id, place: photo.place))/remove", token: call.formToken,
        kind: .secondary, object: words))\
      \(Disclosure(
        localizer.text("appearance.photo.replace"), object: words,
        isOpen: self.photo?.place == photo.place, sending(photo.place, isNew: false, call)))</div>
      """
  }

  private func sending(_ place: Int, isNew: Bool, _ call: Call) -> Markup {
    let localizer = call.localizer
    let error = photo.flatMap { $0.place == place ? $0.mistake.message(localizer) : nil }
    // The page has several such forms, so each control needs its own name in the summary.
    let id = FormField.controlID(Self.field(place))
    let notes = "\(id)-hint\(error == nil ? "" : " \(id)-error")"
    return Form(
      action: AppearancePhotos.form(plan.id, place: place), token: call.formToken, holdsFile: true,
      fields: """
        <div class="field\(if: error != nil, " has-error")">\
        <label for="\(id)">\(localizer.text(
          "appearance.photo.file", ["n": .number(place)]))</label>\
        <p class="hint" id="\(id)-hint">\(localizer.text(
          "appearance.photo.file-hint",
          ["megabytes": .number(PhotoReader.maximumFile / 1_048_576)]))</p>\
        \(error.map { message in
          """
          <p class="field-error" id="\(id)-error">\(Icon.warning)<span>\
          <span class="visually-hidden">\(localizer.text("parts.field.error")) </span>\
          \(message)</span></p>
          """ as Markup
        })\
        <input class="input" type="file" id="\(id)" name="\(AppearancePhotos.field)" \
        accept="image/jpeg,image/png" aria-describedby="\(notes)"></div>
        """,
      buttons: Button(
        localizer.text(isNew ? "appearance.photo.add" : "appearance.photo.replace"),
        kind: .secondary,
        icon: isNew ? .plus : .check, object: plan.medicineName,
        person: call.formToken.personName
      ).markup
    ).markup
  }

  private static func field(_ place: Int) -> String { "photo-\(place)" }
}
