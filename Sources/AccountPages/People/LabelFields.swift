// SPDX-License-Identifier: Apache-2.0

import HTML
import Identifiers
import Localization
import People
import Web

/// The label of a person in a form.
struct LabelInput: Sendable, Hashable {
  static let kindField = "label"
  static let nicknameField = "nickname"
  static let colourField = "colour"

  let kind: String
  let nickname: String
  let colour: String

  init(_ label: PersonLabel) {
    kind = label.kind.rawValue
    nickname = label.nickname
    colour = label.colour?.rawValue ?? ""
  }

  /// Reads the posted form; nil if it did not ask.
  init?(form: FormBody) {
    guard let kind = form.text(Self.kindField) else { return nil }
    self.kind = kind
    nickname = form.text(Self.nicknameField) ?? ""
    colour = form.text(Self.colourField) ?? ""
  }

  var label: PersonLabel {
    PersonLabel(
      PersonLabel.Kind(rawValue: kind) ?? .initial, colour: PersonColour(rawValue: colour),
      nickname: nickname)
  }
}

/// The fields that tell a person apart from others of the same account.
struct LabelFields: PagePart {
  let input: LabelInput
  /// Messages by field name.
  let errors: [String: String]
  let localizer: Localizer

  var markup: Markup {
    FieldGroup(
      localizer.text("people.label.legend"), hint: localizer.text("people.label.hint"),
      """
      \(FormField(
        LabelInput.kindField, label: localizer.text("people.label.kind"),
        kind: .radios(
          PersonLabel.Kind.allCases.map { kind in
            FieldChoice(
              kind.rawValue,
              localizer.text("people.label.kind-name", ["kind": .text(kind.rawValue)]))
          }), value: input.kind, error: errors[LabelInput.kindField], localizer: localizer))\
      \(FormField(
        LabelInput.nicknameField, label: localizer.text("people.label.nickname"),
        value: input.nickname, error: errors[LabelInput.nicknameField], isRequired: false,
        maximumLength: PersonLabel.maximumNickname, localizer: localizer))\
      \(FormField(
        LabelInput.colourField, label: localizer.text("people.label.colour"),
        kind: .select(
          [FieldChoice("", localizer.text("people.label.no-colour"))]
            + PersonColour.allCases.map { FieldChoice($0.rawValue, $0.word(localizer)) }),
        value: input.colour, error: errors[LabelInput.colourField], isRequired: false,
        localizer: localizer))
      """
    ).markup
  }

  /// Returns the label if another person of the account already has it.
  static func collision(
    of details: PatientDetails, patient: PatientID?, _ call: Call
  ) -> String? {
    guard let text = details.label.text(of: details.displayName, call.localizer) else {
      return nil
    }
    let others = call.people.filter { $0.patient != patient }
    let isTaken = others.contains {
      $0.label.text(of: $0.name, call.localizer)?.lowercased() == text.lowercased()
    }
    return isTaken ? text : nil
  }
}
