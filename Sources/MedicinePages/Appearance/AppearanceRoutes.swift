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

/// What a medicine looks like: shape, colours, letters, photos.
package enum AppearanceRoutes {
  package static let all: [Route] = [
    .page(.get, "/medicines/:plan/appearance", page),
    .page(.post, "/medicines/:plan/appearance", save),
    .page(.post, "/medicines/:plan/appearance/photos/:place", AppearancePhotos.save)
      .takingFile(upTo: PhotoReader.maximumFile),
    .page(.post, "/medicines/:plan/appearance/photos/:place/remove", AppearancePhotos.remove),
    .page(.get, "\(AppearancePhotoAddress.path)/:patient/:photo", AppearancePhotos.picture),
  ]

  static func address(of plan: PlanID) -> String { "/medicines/\(plan)/appearance" }

  private static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await show(call, signedIn)
  }

  private static func save(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let form = try await FormBody.read(call)
    try ForgeryGuard.check(form, of: call)
    let plan = try await call.plan(of: signedIn, to: .update)
    let input = AppearanceInput(form: form)
    guard input.issues.isEmpty else { return try await show(call, signedIn, input: input) }
    let context = call.environment.commandContext(for: signedIn, now: call.now)
    try await call.environment.database.write { writer in
      try input.keep(ofPlan: plan.id, patient: plan.patient, context, in: writer)
    }
    call.environment.live.changed(plan.patient)
    return call.redirect(to: "\(address(of: plan.id))?done=saved")
  }

  /// Shows the page, with what was typed and what is wrong with it.
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
