// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import HTML
import Localization
import Observations
import Presentation
import Scheduling
import Web

/// The small forms of the health profile, exactly as typed, with the mistake.
struct HealthProfileInput: Sendable, Hashable {
  var kilograms = ""
  /// The date; empty for today.
  var day = ""
  var allergy = ""
  var reaction = ""
  var mistake: HealthProfileMistake?
}

/// A mistake in one of the forms.
enum HealthProfileMistake: Error, Sendable, Hashable {
  case care(HealthProfileError)
  case photo(PhotoMistake)

  var field: String {
    switch self {
    case .care(.date), .care(.dateInTheFuture): HealthProfileRoutes.dayField
    case .care(.weight), .care(.weightMissing), .care(.notFound): HealthProfileRoutes.weightField
    case .care(.nameMissing), .care(.tooLong), .care(.alreadyThere), .care(.tooMany):
      HealthProfileRoutes.allergyField
    case .photo: HealthProfileRoutes.photoField
    }
  }

  func text(_ localizer: Localizer) -> String {
    switch self {
    case .care(let error):
      localizer.text("health-profile.problem", ["problem": .text(error.rawValue)])
    case .photo(let mistake):
      localizer.text("health-profile.photo.problem", ["problem": .text(mistake.rawValue)])
    }
  }
}

/// The weights, allergies and photo of a person, below the birth date.
///
/// The forms are collapsed, so that the current entries fit on a phone's screen.
struct HealthProfilePart: PagePart {
  let weights: [BodyWeight]
  let allergies: [Allergy]
  /// The address of the photo; nil if there is none.
  let photo: String?
  let input: HealthProfileInput
  let token: FormToken
  let words: DoseFormatter

  private var localizer: Localizer { words.localizer }

  var markup: Markup {
    """
    \(Section(localizer.text("health-profile.allergies.title"), id: "allergies", allergyContent))\
    \(Section(localizer.text("health-profile.weights.title"), id: "weights", weightContent))\
    \(Section(localizer.text("health-profile.photo.title"), id: "photo", photoContent))
    """
  }

  // MARK: Allergies

  private var allergyContent: Markup {
    let form = Form(
      action: HealthProfileRoutes.allergiesPath, token: token,
      fields: """
        \(field(HealthProfileRoutes.allergyField, "health-profile.allergies.name", input.allergy,
          hint: localizer.text("health-profile.allergies.name-hint"), maximum: HealthProfileCommands.maximumName))\
        \(FormField(
          "reaction", label: localizer.text("health-profile.allergies.reaction"), value: input.reaction,
          isRequired: false, maximumLength: HealthProfileCommands.maximumName, localizer: localizer))
        """,
      buttons: Button(
        localizer.text("health-profile.allergies.add"), kind: .secondary, icon: .plus,
        person: token.personName
      ).markup)
    return """
      <p>\(localizer.text("health-profile.allergies.lead"))</p>\
      \(folded(allergies.map(line), more: "health-profile.allergies.more"))\
      \(adding("health-profile.allergies.add", HealthProfileRoutes.allergyField, form: form))
      """
  }

  private func line(_ allergy: Allergy) -> Markup {
    """
    <li><strong>\(allergy.name)</strong>\
    \(allergy.reaction.map { "<br><span class=\"muted\">\($0)</span>" as Markup })\
    \(remove("\(HealthProfileRoutes.allergiesPath)/\(allergy.id)/remove", object: allergy.name))</li>
    """
  }

  // MARK: Weights

  /// The number of lines shown; the others are collapsed.
  private static let shown = 5

  private var weightContent: Markup {
    let form = Form(
      action: HealthProfileRoutes.weightsPath, token: token,
      fields: """
        <div class="field-row">\
        \(FormField(
          HealthProfileRoutes.weightField, label: localizer.text("health-profile.weights.weight"), kind: .decimal,
          value: input.kilograms, error: error(HealthProfileRoutes.weightField),
          unit: localizer.text("health-profile.weights.unit"), maximumLength: 10, localizer: localizer))\
        \(FormField(
          HealthProfileRoutes.dayField, label: localizer.text("health-profile.weights.day"),
          kind: .date(through: words.today.text),
          value: input.day.isEmpty ? words.today.text : input.day,
          error: error(HealthProfileRoutes.dayField), localizer: localizer))</div>
        """,
      buttons: Button(
        localizer.text("health-profile.weights.add"), kind: .secondary, icon: .plus,
        person: token.personName
      ).markup)
    return """
      \(folded(weights.map(line), more: "health-profile.weights.earlier"))\
      \(adding(
        "health-profile.weights.add", HealthProfileRoutes.weightField,
        HealthProfileRoutes.dayField, form: form))
      """
  }

  /// Returns the weight with its unit.
  func spoken(_ weight: BodyWeight) -> String {
    localizer.text("health-profile.weights.value", ["kilograms": .text(number(weight.kilograms))])
  }

  func day(of weight: BodyWeight) -> String { words.date(weight.date, .medium) }

  private func line(_ weight: BodyWeight) -> Markup {
    let (value, day) = (spoken(weight), day(of: weight))
    return """
      <li><strong>\(value)</strong> · \(day)\
      \(remove("\(HealthProfileRoutes.weightsPath)/\(weight.id)/remove", object: "\(value), \(day)"))</li>
      """
  }

  /// Returns the typed digits with this language's decimal mark.
  private func number(_ text: String) -> String {
    Decimal(string: text).map { localizer.number($0) } ?? text
  }

  // MARK: Photo

  private var photoContent: Markup {
    let path = HealthProfileRoutes.photoPath
    // The hidden fields of a form with a file are read too late to choose the person.
    let visit = token.isVisit ? token.patient.map { PersonChoice.visit(path, $0) } : nil
    let form = Form(
      action: visit ?? path, token: token, holdsFile: true,
      fields: FormField(
        HealthProfileRoutes.photoField, label: localizer.text("health-profile.photo.file"),
        kind: .file(types: "image/jpeg,image/png"),
        hint: localizer.text("health-profile.photo.file-hint"),
        error: error(HealthProfileRoutes.photoField), localizer: localizer
      ).markup,
      buttons: Button(
        localizer.text("health-profile.photo.save"), kind: .secondary, icon: .check,
        person: token.personName
      ).markup)
    let current: Markup? = photo.map { address in
      """
      <p><img class="photo" src="\(address)" alt="\(localizer.text("health-profile.photo.current"))" \
      width="128" height="128"></p>\
      \(remove("\(HealthProfileRoutes.photoPath)/remove", object: localizer.text("health-profile.photo.current")))
      """
    }
    return """
      <p>\(localizer.text("health-profile.photo.lead"))</p>\(current)\
      \(adding("health-profile.photo.file", HealthProfileRoutes.photoField, form: form))
      """
  }

  // MARK: Parts

  /// Returns the first lines, with the others collapsed.
  private func folded(_ lines: [Markup], more: MessageKey) -> Markup {
    let others = Array(lines.dropFirst(Self.shown))
    return """
      \(if: !lines.isEmpty, list(Array(lines.prefix(Self.shown))))\
      \(if: !others.isEmpty, Disclosure(localizer.text(more), list(others)).markup)
      """
  }

  /// Returns a collapsed form, expanded if one of its fields has a mistake.
  private func adding(_ title: MessageKey, _ fields: String..., form: Form) -> Markup {
    guard token.mayAct else { return Markup() }
    return Disclosure(
      localizer.text(title), isOpen: fields.contains { input.mistake?.field == $0 }, form.markup
    ).markup
  }

  private func list(_ lines: [Markup]) -> Markup {
    "<ul class=\"people-list\" role=\"list\">\(lines)</ul>"
  }

  private func remove(_ action: String, object: String) -> FormButton {
    FormButton(
      localizer.text("health-profile.remove"), action: action, token: token, kind: .quiet,
      object: object)
  }

  private func field(
    _ name: String, _ label: MessageKey, _ value: String, hint: String, maximum: Int
  ) -> FormField {
    FormField(
      name, label: localizer.text(label), value: value, hint: hint, error: error(name),
      maximumLength: maximum, localizer: localizer)
  }

  private func error(_ field: String) -> String? {
    input.mistake.flatMap { $0.field == field ? $0.text(localizer) : nil }
  }
}
