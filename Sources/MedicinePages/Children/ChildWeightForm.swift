// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Foundation
import HTML
import Hummingbird
import Localization
import Observations
import People
import Prescriptions
import Scheduling
import Storage
import Web

/// The form that asks for a child's weight if none is known or the last one is too old.
package struct ChildWeightForm: PagePart {
  static let field = "weight"
  /// The unusual weight, in grams, that the user confirmed.
  static let sure = "sure"
  static let back = "return"

  /// A mistake in the typed weight.
  enum Mistake: Sendable, Hashable {
    case care(HealthProfileError)
    /// An unusual weight, which must be confirmed before it is saved.
    case doubt(ChildWeight.Doubt, grams: Int)
  }

  let child: Child
  var typed = ""
  var mistake: Mistake?
  /// The page to open after saving.
  let returnPath: String
  let token: FormToken
  let localizer: Localizer

  var errors: [FieldError] {
    mistake.map { [FieldError(field: Self.field, message: text($0))] } ?? []
  }

  /// The form, with the typed weight and a message if it was rejected or needs confirming.
  package var markup: Markup {
    let sure: Markup =
      if case .doubt(_, let grams) = mistake {
        FormField(
          Self.sure, label: localizer.text("children.weight.check"),
          kind: .checkboxes([
            FieldChoice(String(grams), localizer.text("children.weight.sure"))
          ]), isRequired: false, localizer: localizer
        ).markup
      } else {
        Markup()
      }
    return Form(
      action: ChildRoutes.address(child.patient, "weight"), token: token,
      fields: """
        <input type="hidden" name="\(Self.back)" value="\(returnPath)">\
        \(FormField(
          Self.field, label: localizer.text("children.weight.label"), kind: .decimal, value: typed,
          hint: localizer.text("children.weight.hint"), error: errors.first?.message,
          unit: localizer.text("health-profile.weights.unit"), maximumLength: 10, localizer: localizer))\(sure)
        """,
      buttons: Button(
        localizer.text("children.weight.save"), kind: .secondary, icon: .check,
        person: token.personName
      ).markup
    ).markup
  }

  private func text(_ mistake: Mistake) -> String {
    switch mistake {
    case .care(let error):
      return localizer.text("health-profile.problem", ["problem": .text(error.rawValue)])
    case .doubt(let doubt, let grams):
      return localizer.text(
        "children.weight.doubt",
        [
          "doubt": .text(doubt.rawValue),
          "kilograms": .decimal(Decimal(grams) / 1_000),
          "age": .text(child.age(localizer) ?? ""),
        ])
    }
  }

  @Sendable static func save(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (here, child, form) = try await Child.posted(call, signedIn, to: .create)
    _ = try here.authorize(.create, VitalCommands.resource, of: child.patient)
    let typed = form.raw(field) ?? ""
    let home = ChildRoutes.address(child.patient)
    let back = LocalPath.checked(form.text(back)).flatMap { $0.hasPrefix(home) ? $0 : nil } ?? home
    func again(_ mistake: Mistake) -> Response {
      page(
        ChildWeightForm(
          child: child, typed: typed, mistake: mistake, returnPath: back, token: here.formToken,
          localizer: here.localizer), here)
    }
    if let grams = grams(typed), let age = child.ageInMonths,
      let doubt = ChildWeight.doubt(grams: grams, ageInMonths: age, before: child.weight?.grams),
      form.text(sure) != String(grams), (200...650_000).contains(grams)
    {
      return again(.doubt(doubt, grams: grams))
    }
    let context = here.environment.commandContext(for: signedIn, now: here.now)
    let source = here.localizer.text("heart-rate.by-hand")
    do {
      try await here.environment.database.write { writer in
        try HealthProfileCommands.addWeight(
          typed, on: child.today.text, source: source, zone: child.zone, patient: child.patient,
          context, in: writer)
      }
    } catch let error as HealthProfileError {
      return again(.care(error))
    }
    let mark = back.contains("?") ? "&" : "?"
    return here.redirect(to: "\(back)\(mark)done=weight")
  }

  private static func grams(_ typed: String) -> Int? {
    guard let text = DraftText.decimal(typed),
      let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), value < 10_000
    else { return nil }
    return NSDecimalNumber(decimal: value * 1_000).intValue
  }

  private static func page(_ form: ChildWeightForm, _ call: Call) -> Response {
    var frame = call.frame()
    frame.title = call.localizer.text(
      "children.weight.title", ["name": .text(form.child.person.name)])
    frame.place = .people
    frame.back = .init(form.child.person.name, address: form.returnPath)
    frame.hasErrors = true
    return call.page(
      frame,
      """
      <div class="narrow stack">\(ErrorSummary(form.errors, localizer: call.localizer))\(form)</div>
      """, status: .unprocessableContent)
  }
}
