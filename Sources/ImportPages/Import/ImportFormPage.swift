// SPDX-License-Identifier: Apache-2.0

import HTML
import HTTPTypes
import Hummingbird
import Localization
import Prescriptions
import Presentation
import SiteMap
import Web

/// The page on which a file is chosen.
struct ImportFormPage: Sendable {
  /// The mistake in the file sent before.
  let mistake: ImportMistake?
  /// The imported tables.
  var tables: [TableImports.Made] = []
  var words: DoseFormatter?

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("import.title")
    frame.place = .medicines
    frame.back = .init(localizer.text("medicines.back-to-list"), address: "/medicines")
    let error = mistake.map {
      localizer.text("import.mistake", ["mistake": .text($0.rawValue)])
    }
    let field = FormField(
      "file", label: localizer.text("import.file"),
      kind: .file(
        types: ".json,.ndjson,.jsonl,.csv,.tsv,application/json,application/fhir+json,text/csv"),
      hint: localizer.text("import.file-hint"), error: error, localizer: localizer)
    let form = Form(
      action: Address.medicineImport, token: call.formToken, holdsFile: true, fields: "\(field)",
      buttons: """
        \(Button(
          localizer.text("import.look"), icon: .download, person: call.formToken.personName))
        """)
    let errors = error.map { [FieldError(field: "file", message: $0)] } ?? []
    let content: Markup = """
      <p>\(localizer.text("import.lead"))</p>\(form)\(made(call))
      """
    if call.queryValue("done") == "undone" {
      frame.flash = FlashBar(localizer.text("import.table.undone"))
    }
    let status: HTTPResponse.Status =
      switch mistake {
      case nil: .ok
      case .tooLarge, .tableTooLarge: .contentTooLarge
      case .missing, .notFHIR, .encoding, .tooManyRows: .unprocessableContent
      }
    return call.formPage(frame, errors: errors, status: status, content)
  }

  /// Returns the imported tables, each with an undo button.
  private func made(_ call: Call) -> Markup {
    guard let words, !tables.isEmpty else { return Markup() }
    let localizer = call.localizer
    return Section(
      localizer.text("import.table.made"), id: "tables",
      """
      <ul class="people-list" role="list">\(each: tables, { table in
        "<li>\(line(table, words))\(undo(table, call))</li>"
      })</ul>
      """
    ).markup
  }

  private func line(_ table: TableImports.Made, _ words: DoseFormatter) -> String {
    words.localizer.text(
      "import.table.made-line",
      [
        "file": .text(MedicineColumns.tableName(table.fileName)),
        "when": .text(words.moment(table.made)),
        "name": .text(table.byName), "count": .number(table.count),
      ])
  }

  private func undo(_ table: TableImports.Made, _ call: Call) -> Markup {
    let localizer = call.localizer
    if let when = table.takenBack, let words {
      return """
        <br><span class="muted">\(localizer.text(
          "import.table.taken-back", ["when": .text(words.moment(when))]))</span>
        """
    }
    return FormButton(
      localizer.text("import.table.undo"), action: "/import/tables/\(table.id)/undo",
      token: call.formToken, kind: .danger, icon: .undo,
      object: MedicineColumns.tableName(table.fileName)
    ).markup
  }
}
