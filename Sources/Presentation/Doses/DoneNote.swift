// SPDX-License-Identifier: Apache-2.0

import Dosing
import Hummingbird
import Identifiers
import Localization
import Plans
import Storage
import Web

/// A confirmation of the last action, carried in the query from a form to the next page.
package struct DoneNote: Sendable, Hashable {
  /// The last action.
  package enum Kind: String, Sendable {
    case taken, skipped, refused, later, undo
    case entry
    case entryTakenBack = "entry-taken-back"
    /// A form was sent with nothing selected.
    case nothing
  }

  var kind: Kind
  /// The answered doses, at most 50 in an address.
  package var doses: [DoseID] = []
  /// The logged entry.
  var administration: AdministrationID?
  /// The number of selected doses that could not be answered.
  package var left = 0

  /// The milliseconds for which a reloaded page still shows the note.
  private static let lifetime: Int64 = 10 * 60_000

  /// Creates a note.
  ///
  /// - Parameter administration: The extra or free entry that was recorded; nil for doses.
  package init(
    _ kind: Kind, doses: [DoseID] = [], administration: AdministrationID? = nil, left: Int = 0
  ) {
    self.kind = kind
    self.doses = doses
    self.administration = administration
    self.left = left
  }

  /// Creates a note about one answered dose.
  package init(_ action: AnswerAction, _ dose: DoseID) {
    self.init(Self.kind(action), doses: [dose])
  }

  /// Reads the note from the query of a page; nil if there is none.
  package init?(_ call: Call) {
    guard call.request.uri.query != nil else { return nil }
    self.init(call.queryFields)
  }

  init?(_ pairs: [FormPair]) {
    guard let kind = pairs.first(where: { $0.name == "done" }).flatMap({ Kind(rawValue: $0.value) })
    else { return nil }
    self.kind = kind
    doses = pairs.filter { $0.name == "dose" }.prefix(50).compactMap { DoseID(text: $0.value) }
    administration = pairs.first { $0.name == "entry" }.map { AdministrationID($0.value) }
    left = pairs.first { $0.name == "left" }.flatMap { Int($0.value) } ?? 0
  }

  /// Returns the kind of note for an answer.
  package static func kind(_ action: AnswerAction) -> Kind {
    switch action {
    case .taken: .taken
    case .skipped: .skipped
    case .refused: .refused
    case .later: .later
    case .undo: .undo
    }
  }

  /// Returns a page's address with this note; the rest of its query is left out.
  ///
  /// On Today it leads to the row of the answered dose.
  package func address(on path: String) -> String {
    let page = path.prefix { $0 != "?" && $0 != "#" }
    var query = "done=\(kind.rawValue)"
    for dose in doses.prefix(50) { query += "&dose=\(dose.text)" }
    if let administration { query += "&entry=\(administration)" }
    if left > 0 { query += "&left=\(left)" }
    let row = page == "/" ? doses.first.map { "#dose-\($0.text)" } : nil
    return "\(page)?\(query)\(row ?? "")"
  }

  /// Returns the doses of the note, reading those that the page does not list.
  package func read(
    _ patient: PatientID, listed: [Dose], now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [Dose] {
    var known: [DoseID: Dose] = [:]
    for dose in listed { known[dose.id] = dose }
    let others = try DoseQueries.doses(
      doses.filter { known[$0] == nil }, patient: patient, now: now, in: reader)
    for dose in others { known[dose.id] = dose }
    return doses.compactMap { known[$0] }
  }

  /// Returns the message with an undo button, limited to the doses for which it is still true.
  ///
  /// Answers older than ten minutes are left out. Returns nil if nothing is left to say.
  ///
  /// - Parameter known: The doses as they are now.
  package func flash(
    _ known: [Dose], words: DoseFormatter, now: Timestamp, token: FormToken, returnPath: String,
    newIdentifier: () -> String
  ) -> FlashBar? {
    let localizer = words.localizer
    switch kind {
    case .entry:
      let undo = administration.map { id in
        FormButton(
          localizer.text("dose.undo"), action: "/entry/\(id)/undo", token: token,
          fields: [("event", newIdentifier())], kind: .secondary, icon: .undo)
      }
      return FlashBar(localizer.text("dose.flash-entry"), undo: undo)
    case .entryTakenBack:
      return FlashBar(localizer.text("dose.flash-entry-taken-back"))
    case .nothing:
      return FlashBar(localizer.text("dose.flash-nothing"))
    case .taken, .skipped, .refused, .later, .undo:
      break
    }
    let holding = known.filter { doses.contains($0.id) && holds($0, at: now) }
    var text: String?
    var undo: FormButton?
    if holding.count == 1, let dose = holding.first {
      text = sentence(dose, words)
      if kind != .undo {
        undo = FormButton(
          localizer.text("dose.undo"), action: "/doses/\(dose.id.text)/answers", token: token,
          fields: [
            ("action", "undo"), ("event", newIdentifier()), ("corrects", String(dose.version)),
            ("return", returnPath),
          ], kind: .secondary, icon: .undo, object: dose.medicineName)
      }
    } else if holding.count > 1 {
      text = many(holding.count, localizer)
      if kind != .undo {
        let fields = holding.map { ("answer", "\($0.id.text) \(newIdentifier()) \($0.version)") }
        undo = FormButton(
          localizer.text("dose.undo-all"), action: "/answers", token: token,
          fields: [("action", "undo"), ("return", returnPath)] + fields, kind: .secondary,
          icon: .undo)
      }
    }
    if left > 0 {
      let rest = localizer.text("dose.flash-left", ["count": .number(left)])
      text = text.map { "\($0) \(rest)" } ?? rest
    }
    return text.map { FlashBar($0, undo: undo) }
  }

  private func many(_ count: Int, _ localizer: Localizer) -> String {
    let key: MessageKey =
      switch kind {
      case .undo: "dose.flash-many-undone"
      case .later: "dose.flash-many-later"
      case .skipped, .refused: "dose.flash-many-left-out"
      case .taken, .entry, .entryTakenBack, .nothing: "dose.flash-many"
      }
    return localizer.text(key, ["count": .number(count)])
  }

  private func sentence(_ dose: Dose, _ words: DoseFormatter) -> String {
    if kind == .undo {
      return words.localizer.text("dose.flash-undone", ["name": .text(dose.medicineName)])
    }
    return words.localizer.text(
      "dose.flash",
      ["name": .text(dose.medicineName), "state": .text(words.chip(dose).text)])
  }

  /// Returns true if the dose still has the answer in the note, given recently.
  private func holds(_ dose: Dose, at now: Timestamp) -> Bool {
    guard let answer = dose.answer else { return kind == .undo }
    guard now.milliseconds - answer.recorded.milliseconds <= Self.lifetime else { return false }
    return kind == Self.kind(answer.action)
  }
}
