// SPDX-License-Identifier: Apache-2.0

import HTML
import HTTPTypes
import Hummingbird
import Localization

/// The page on which a file is chosen.
struct ImportFormPage: Sendable {
  /// What was wrong with the file before.
  let mistake: ImportMistake?

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("import.title")
    frame.place = .medicines
    frame.back = .init(localizer.text("medicines.back-to-list"), address: "/medicines")
    frame.hasErrors = mistake != nil
    let error = mistake.map {
      localizer.text("import.mistake", ["mistake": .text($0.rawValue)])
    }
    let field = FormField(
      "file", label: localizer.text("import.file"),
      kind: .file(types: ".json,.ndjson,.jsonl,application/json,application/fhir+json"),
      hint: localizer.text("import.file-hint"), error: error, localizer: localizer)
    let form = Form(
      action: ImportRoutes.path, token: call.formToken, holdsFile: true, fields: "\(field)",
      buttons: """
        \(Button(
          localizer.text("import.look"), icon: .download, person: call.formToken.personName))
        """)
    let errors = error.map { [FieldError(field: "file", message: $0)] } ?? []
    let content: Markup = """
      <div class="narrow stack">\(ErrorSummary(errors, localizer: localizer))\
      <p>\(localizer.text("import.lead"))</p>\(form)</div>
      """
    let status: HTTPResponse.Status =
      switch mistake {
      case nil: .ok
      case .tooLarge: .contentTooLarge
      case .missing, .notFHIR: .unprocessableContent
      }
    return call.page(frame, content, status: status)
  }
}
