// SPDX-License-Identifier: Apache-2.0

import Encodings
import Localization
import Plans
import Scheduling
import Web

/// The input for a new medicine so far: the fields of the long form, and the answers that only the
/// steps ask for.
struct AddedFields: Sendable, Hashable {
  /// The limit on the length of a field, and on its number of values.
  private static let longest = 2_000
  private static let most = 40

  /// The name of the pairs that list the edited steps of a change.
  private static let editedName = "edited"

  private var pairs: [FormPair]
  /// The edited steps of a change, whose other fields come from the plan; nil for a new medicine.
  private(set) var edited: Set<AddMedicineStep>?

  /// Creates the fields of a new draft.
  init() {
    pairs = []
  }

  /// Reads the fields of a stored draft.
  init(encoded: String) {
    pairs = FormBody.pairs(of: encoded)
  }

  /// Reads the input of a change on top of the fields of its plan.
  init(encoded: String, over plan: [FormPair]) {
    let typed = FormBody.pairs(of: encoded)
    let steps = Set(
      typed.filter { $0.name == Self.editedName }.compactMap { AddMedicineStep(rawValue: $0.value) }
    )
    let names = Self.names(of: steps)
    pairs = plan.filter { !names.contains($0.name) } + typed.filter { names.contains($0.name) }
    edited = steps
  }

  private static func names(of steps: Set<AddMedicineStep>) -> Set<String> {
    steps.reduce(into: Set<String>()) { $0.formUnion($1.fields) }
  }

  /// The fields in stored form; for a change, only those of the edited steps.
  var encoded: String {
    guard let edited else { return FormEncoding.encode(pairs.map { ($0.name, $0.value) }) }
    let names = Self.names(of: edited)
    let steps = AddMedicineStep.allCases.filter(edited.contains).map {
      (Self.editedName, $0.rawValue)
    }
    return FormEncoding.encode(
      steps + pairs.filter { names.contains($0.name) }.map { ($0.name, $0.value) })
  }

  /// The fields as the long form would post them.
  var form: FormBody { FormBody(pairs: pairs) }

  /// The name of the medicine as typed.
  var name: String { TypedText.trimmed(form.raw("name") ?? "") }

  /// The answer to how often it is taken; nil until it is given.
  var often: HowOften? { form.raw("often").flatMap(HowOften.init(rawValue:)) }

  /// The chosen entry of the medicine list; nil if the name was typed freely.
  var pick: String? { form.text("pick") }

  /// The fields as the form of a medicine reads them.
  var input: MedicineInput { MedicineInput(form: form) }

  /// Replaces the fields of a step with the posted ones.
  mutating func take(_ step: AddMedicineStep, from body: FormBody) {
    edited?.insert(step)
    clear(step.fields)
    for name in step.fields.sorted() {
      pairs += body.all(name).prefix(Self.most).map {
        FormPair(name: name, value: String($0.prefix(Self.longest)))
      }
    }
  }

  /// Replaces the values of one field.
  mutating func set(_ name: String, _ values: [String]) {
    clear([name])
    pairs += values.map { FormPair(name: name, value: $0) }
  }

  /// Removes the amount, because it may not suit another dosage form.
  mutating func clearAmount() {
    edited?.insert(.times)
    clear(["dose-value", "dose-unit"])
  }

  /// Records the answer to how often, with its times.
  mutating func noteSchedule() {
    edited?.formUnion([.often, .times])
  }

  /// Removes fields.
  mutating func clear(_ names: Set<String>) {
    pairs.removeAll { names.contains($0.name) }
  }

  /// Returns true if a field contains more than spaces.
  func isFilled(_ name: String) -> Bool {
    form.all(name).contains { !TypedText.trimmed($0).isEmpty }
  }
}
