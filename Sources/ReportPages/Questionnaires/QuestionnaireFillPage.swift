// SPDX-License-Identifier: Apache-2.0

import Diary
import FHIR
import HTML
import HTTPTypes
import Hummingbird
import Localization
import SiteMap
import Web

/// The form of a questionnaire on one page, and the review before it is sent.
///
/// Without scripts: only the items that the answers so far ask for are shown, and "Next" shows those that open.
struct QuestionnaireFillPage: Sendable {
  /// The answers that are corrected.
  struct Correction: Sendable {
    let response: String
    let version: Int64

    init(response: String, version: Int64) {
      self.response = response
      self.version = version
    }

    /// Reads the hidden fields; nil for new answers.
    init?(_ fields: FormBody) {
      guard let response = fields.text("response"),
        let version = fields.text("version").flatMap({ Int64($0) })
      else { return nil }
      self.init(response: response, version: version)
    }
  }

  let form: ListedQuestionnaire
  var input = QuestionnaireInput([:] as [String: [String]])
  var correction: Correction?
  var mistakes: [String: QuestionnaireInput.Mistake] = [:]
  /// True if the answers were kept as a draft before.
  var isDraft = false
  /// True if the answers opened further questions.
  var hasMore = false
  /// True if nothing was answered.
  var isEmpty = false
  /// The event of the form; nil for a new one.
  var event: String?
  /// True for a copy on a device: it holds all questions, which a script shows and hides.
  var isCopy = false

  init(form: ListedQuestionnaire) {
    self.form = form
  }

  private var questionnaire: Questionnaire { form.questionnaire }

  // MARK: Reading

  /// Returns what was typed.
  func typed(_ fields: FormBody) -> QuestionnaireInput {
    var texts: [String: [String]] = [:]
    for (index, item) in questionnaire.allItems.enumerated() where item.isQuestion {
      let name = QuestionnaireFields.name(index)
      var values = fields.all(name)
      if item.mostAnswers > 1 {
        for further in 1..<item.mostAnswers { values += fields.all("\(name)-\(further)") }
      }
      texts[item.link] = values
    }
    return QuestionnaireInput(texts)
  }

  /// Returns true if every asked item was on the page that was sent.
  func isShowing(_ asked: Set<String>, _ fields: FormBody) -> Bool {
    let shown = Set(fields.all("shown"))
    return questionnaire.allItems.enumerated().allSatisfy { index, item in
      !item.isQuestion || !asked.contains(item.link) || shown.contains(String(index))
    }
  }

  // MARK: The form

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    let words = QuestionnaireWords(localizer: localizer)
    let fields = QuestionnaireFields(
      questionnaire: questionnaire, input: input, mistakes: mistakes, words: words,
      isWhole: isCopy)
    var frame = frame(call, title: words.text(questionnaire.title))
    frame.lead = questionnaire.introduction.map(words.text)
    let notice: Markup =
      if hasMore {
        Notice(.information, title: localizer.text("questionnaires.more")).markup
      } else if isEmpty {
        Notice(.warning, title: localizer.text("questionnaires.nothing")).markup
      } else if isDraft {
        Notice(.information, title: localizer.text("questionnaires.draft")).markup
      } else {
        Markup()
      }
    let draft = Button(
      localizer.text("questionnaires.save-draft"), kind: .secondary, name: "step", value: "draft")
    let next = Button(
      localizer.text("questionnaires.next"), name: "step", value: "next",
      person: call.formToken.personName)
    return call.formPage(
      frame, errors: fields.errors, status: isEmpty ? .unprocessableContent : nil,
      """
      \(notice)\(queued(words, Form(
        action: QuestionnaireRoutes.address(form), token: call.formToken,
        fields: "\(hidden(call))\(fields.markup)",
        buttons: "\(next)\(if: correction == nil && !isCopy, draft.markup)"),
        review: reviewPart(call)))
      """)
  }

  /// Returns the page that shows the answers before they are sent.
  func review(_ call: Call, _ answers: QuestionnaireAnswers) -> Response {
    let localizer = call.localizer
    let words = QuestionnaireWords(localizer: localizer)
    var frame = frame(call, title: localizer.text("questionnaires.review"))
    frame.lead = words.text(questionnaire.title)
    let asked = QuestionnaireEvaluator.asked(questionnaire, answers)
    let facts = questionnaire.allItems.filter { $0.isQuestion && asked.contains($0.link) }
      .map { item in
        DescriptionList.Item(
          words.text(item.text),
          answers[item.link].map { words.answers($0, to: item) }
            ?? localizer.text("questionnaires.no-answer"))
      }
    let typed = QuestionnaireFields(
      questionnaire: questionnaire, input: QuestionnaireInput(answers), mistakes: [:],
      words: words)
    return call.page(
      frame,
      """
      <div class="narrow stack">\(DescriptionList(facts))\(queued(words, Form(
        action: QuestionnaireRoutes.address(form), token: call.formToken,
        fields: "\(hidden(call))\(typed.hidden)", buttons: reviewButtons(call))))</div>
      """)
  }

  private func reviewButtons(_ call: Call) -> Markup {
    let localizer = call.localizer
    let send = Button(
      localizer.text("questionnaires.send"), icon: .check, name: "step", value: "send",
      person: call.formToken.personName)
    let change = Button(
      localizer.text("questionnaires.change"), kind: .secondary, name: "step", value: "change")
    return "\(send)\(change)"
  }

  /// Returns the review without its answers: offline, a script fills in a copy of it.
  private func reviewPart(_ call: Call) -> Markup {
    let localizer = call.localizer
    return """
      <template><section class="review stack" tabindex="-1" aria-labelledby="review">\
      <h2 id="review">\(localizer.text("questionnaires.review"))</h2>\
      <dl class="facts" data-none="\(localizer.text("questionnaires.no-answer"))"></dl>\
      \(ButtonRow(reviewButtons(call)))</section></template>
      """
  }

  /// Returns the form with the data by which a script queues it offline; a correction needs a connection.
  private func queued(
    _ words: QuestionnaireWords, _ form: Form, review: Markup = Markup()
  ) -> Markup {
    guard correction == nil else { return form.markup }
    let links = JSONValue.array(questionnaire.allItems.map { .string($0.link) })
    return """
      <div data-entry="questionnaire" data-name="\(words.text(questionnaire.title))" \
      data-version="\(questionnaire.version ?? "")" data-links="\(links.text)">\(form)\(review)</div>
      """
  }

  private func frame(_ call: Call, title: String) -> PageFrame {
    var frame = call.frame()
    frame.title = title
    frame.scripts = [PageAssets.entries]
    frame.place = .progress
    frame.back = .init(
      call.localizer.text("questionnaires.title"), address: Address.questionnaires)
    return frame
  }

  private func hidden(_ call: Call) -> Markup {
    guard let correction else {
      let event = event ?? call.environment.newIdentifier()
      return "<input type=\"hidden\" name=\"event\" value=\"\(event)\">"
    }
    return """
      <input type="hidden" name="response" value="\(correction.response)">\
      <input type="hidden" name="version" value="\(String(correction.version))">
      """
  }
}
