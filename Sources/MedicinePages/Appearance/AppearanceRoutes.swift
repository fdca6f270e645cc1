// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import Hummingbird
import Identifiers
import Localization
import Plans
import Presentation
import Storage
import Web

/// The pages of a medicine's appearance: its shape, colours, imprint and photos.
package enum AppearanceRoutes {
  /// The form, its submission, and the routes that store, remove and serve photos.
  package static let all: [Route] = [
    .medicinePage("/medicines/:plan/appearance", page),
    .form("/medicines/:plan/appearance", save),
    .page(.post, "/medicines/:plan/appearance/photos/:place", AppearancePhotos.save)
      .takingFile(upTo: PhotoReader.maximumFile),
    .form("/medicines/:plan/appearance/photos/:place/remove", AppearancePhotos.remove),
    .page(.get, "\(AppearancePhotoAddress.path)/:patient/:photo", AppearancePhotos.picture),
  ]

  static func address(of plan: PlanID) -> String { "/medicines/\(plan)/appearance" }

  private static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await show(call, signedIn)
  }

  private static func save(_ form: PostedForm) async throws -> Response {
    let plan = try await form.call.plan(of: form.signedIn, to: .update)
    let input = AppearanceInput(form: form.fields)
    guard input.issues.isEmpty else {
      return try await show(form.call, form.signedIn, input: input)
    }
    try await form.run { context, writer in
      try input.keep(ofPlan: plan.id, patient: plan.patient, context, in: writer)
    }
    form.call.environment.live.changed(plan.patient)
    return form.redirect(to: "\(address(of: plan.id))?done=saved")
  }

  /// Shows the page with the input and its mistakes.
  static func show(
    _ call: Call, _ signedIn: SignedIn, input: AppearanceInput? = nil,
    photo: (place: Int, mistake: AppearancePhotoMistake)? = nil
  ) async throws -> Response {
    let plan = try await call.plan(of: signedIn, to: .update)
    let known = try await call.environment.database.read { reader in
      try AppearanceQueries.one(ofPlan: plan.id, patient: plan.patient, in: reader)
    }
    return AppearancePage(
      plan: plan, known: known, input: input ?? AppearanceInput(known.look), photo: photo
    ).response(call)
  }
}
