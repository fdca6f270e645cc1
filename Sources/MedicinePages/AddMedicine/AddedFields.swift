// SPDX-License-Identifier: Apache-2.0

import Encodings
import Localization
import Plans
import Scheduling
import Web

/// What was typed of a new medicine so far: fields of the long form, and the answers that only the steps ask for.
struct AddedFields: Sendable, Hashable {
  /// No field of a step is longer, and none has more values.
  private static let longest = 2_000
  private static let most = 40

  private var pairs: [FormPair]

  /// Creates the fields of a draft that has none yet.
  init() {
    pairs = []
  }

  /// Reads the fields of a stored draft.
  init(encoded: String) {
    pairs = FormBody.pairs(of: encoded)
  }

  /// The fields as they are stored.
  var encoded: String { FormEncoding.encode(pairs.map { ($0.name, $0.value) }) }

  /// The fields as the long form would post them.
  var form: FormBody { FormBody(pairs: pairs) }

  /// The name of the medicine as typed.
  var name: String { TypedText.trimmed(form.raw("name") ?? "") }

  /// The answer to how often it is taken; nil until it is given.
  var often: HowOften? { form.raw("often").flatMap(HowOften.init(rawValue:)) }

  /// The list's medicine that was chosen; nil for a name that was typed freely.
  var pick: String? { form.text("pick") }

  /// The fields as the form of a medicine reads them.
  var input: MedicineInput { MedicineInput(form: form) }

  /// Replaces the fields of a step with those that were posted.
  mutating func take(_ step: AddMedicineStep, from body: FormBody) {
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

  /// Removes fields.
  mutating func clear(_ names: Set<String>) {
    pairs.removeAll { names.contains($0.name) }
  }

  /// Returns true if a field holds more than blanks.
  func isFilled(_ name: String) -> Bool {
    form.all(name).contains { !TypedText.trimmed($0).isEmpty }
  }
}
