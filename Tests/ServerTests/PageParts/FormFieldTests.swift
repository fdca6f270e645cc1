// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Testing

@testable import Web

@Suite("Form fields")
struct FormFieldTests {
  private let localizer = Localizer.of(.en)

  @Test("label, hint and error are tied to the control")
  func ties() {
    let html = FormField(
      "dose", label: "Dose", kind: .decimal, value: "0", hint: "How much", error: "Too little",
      localizer: localizer
    ).markup.text
    #expect(html.contains(#"<label for="field-dose">Dose</label>"#))
    #expect(html.contains(#"aria-describedby="field-dose-hint field-dose-error""#))
    #expect(html.contains(#"id="field-dose-hint""#))
    #expect(html.contains(#"id="field-dose-error""#))
    #expect(html.contains(#"aria-invalid="true""#))
    #expect(html.contains(#"inputmode="decimal""#))
  }

  @Test("without a hint or an error, nothing refers to one")
  func noTies() {
    let html = FormField("dose", label: "Dose", localizer: localizer).markup.text
    #expect(!html.contains("aria-describedby"))
    #expect(!html.contains("aria-invalid"))
    #expect(html.contains(#"aria-required="true""#))
  }

  @Test("only optional questions are marked", arguments: Language.allCases)
  func optional(language: Language) {
    let localizer = Localizer.of(language)
    let word = localizer.text("parts.field.optional")
    let asked = FormField("a", label: "A", isRequired: false, localizer: localizer).markup.text
    let required = FormField("a", label: "A", localizer: localizer).markup.text
    #expect(asked.contains(word))
    #expect(!asked.contains("aria-required"))
    #expect(!required.contains(word))
  }

  @Test("input is redisplayed as text", arguments: [FieldKind.text, .lines(3), .search])
  func escapes(kind: FieldKind) {
    let typed = "\"</textarea><script>&'"
    let html = FormField("name", label: typed, kind: kind, value: typed, localizer: localizer)
      .markup.text
    #expect(!html.contains("<script>"))
    #expect(html.contains("&quot;&lt;/textarea&gt;&lt;script&gt;&amp;&#39;"))
  }

  @Test("a leading line break of a note is kept")
  func leadingLineBreak() {
    let html = FormField(
      "note", label: "Note", kind: .lines(3), value: "\nsecond", localizer: localizer
    ).markup.text
    #expect(html.contains(">\n\nsecond</textarea>"))
  }

  @Test("a password is never written into the page")
  func password() {
    let html = FormField(
      "password", label: "Password", kind: .password, value: "hunter2", localizer: localizer
    ).markup.text
    #expect(!html.contains("hunter2"))
  }

  @Test("given choices are checked; ids differ and the summary links to the first")
  func choices() {
    let days = ["mon", "tue", "wed"].map { FieldChoice($0, $0) }
    let html = FormField(
      "days", label: "Days", kind: .checkboxes(days), values: ["mon", "wed"], localizer: localizer
    ).markup.text
    #expect(html.contains(#"id="field-days" name="days" value="mon" checked"#))
    #expect(html.contains(#"id="field-days-2" name="days" value="tue">"#))
    #expect(html.contains(#"id="field-days-3" name="days" value="wed" checked"#))
    let summary = ErrorSummary([FieldError(field: "days", message: "Choose")], localizer: localizer)
    #expect(summary.markup.text.contains(##"href="#field-days""##))
  }

  @Test("a summary without errors is empty")
  func noErrors() {
    #expect(ErrorSummary([], localizer: localizer).markup.isEmpty)
  }
}
