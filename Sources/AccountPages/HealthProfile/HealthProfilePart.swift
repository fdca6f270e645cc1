// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import HTML
import Localization
import Observations
import Presentation
import Scheduling
import Web

/// The small forms of the details page, exactly as typed, with the mistake.
struct HealthProfileInput: Sendable, Hashable {
  var kilograms = ""
  /// Empty for today.
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

/// The weights, allergies and photo of a person, below the form of the details.
struct HealthProfilePart: PagePart {
  let weights: [BodyWeight]
  let allergies: [Allergy]
  /// The address of the photo; nil where there is none.
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
      \(if: !allergies.isEmpty, list(allergies.map(line)))\(form)
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

  /// So many stand in the open; the others are folded away.
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
    let earlier = weights.dropFirst(Self.shown)
    return """
      \(if: !weights.isEmpty, list(weights.prefix(Self.shown).map(line)))\
      \(if: !earlier.isEmpty, Disclosure(
        localizer.text("health-profile.weights.earlier"), list(earlier.map(line))).markup)\(form)
      """
  }

  /// The weight with its unit.
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

  /// The digits that were typed, with the mark of this language between them.
  private func number(_ text: String) -> String {
    Decimal(string: text).map { localizer.number($0) } ?? text
  }

  // MARK: Photo

  private var photoContent: Markup {
    let form = Form(
      action: HealthProfileRoutes.photoPath, token: token, holdsFile: true,
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
    return "<p>\(localizer.text("health-profile.photo.lead"))</p>\(current)\(form)"
  }

  // MARK: Parts

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
