// SPDX-License-Identifier: Apache-2.0

import Diary
import HTML
import Hummingbird
import Identifiers
import Localization
import Presentation
import Scheduling
import SiteMap
import Web

/// The questionnaires that are due, all others, and when each is asked.
struct QuestionnaireListPage: Sendable {
  let forms: [ListedQuestionnaire]
  let due: [DueQuestionnaire]
  let assignments: [QuestionnaireAssignment]
  let today: CivilDate
  let mayAnswer: Bool
  let clock: MedicineClock

  private var localizer: Localizer { clock.localizer }
  private var words: QuestionnaireWords { QuestionnaireWords(localizer: localizer) }

  func response(_ call: Call) -> Response {
    var frame = call.frame()
    frame.title = localizer.text("questionnaires.title")
    frame.lead = localizer.text("questionnaires.lead")
    frame.place = .progress
    frame.back = .init(localizer.text("progress.title"), address: Address.progress)
    if let done = call.queryValue("done") {
      frame.flash = FlashBar(localizer.text("questionnaires.done", ["what": .text(done)]))
    }
    return call.page(
      frame,
      """
      <div class="narrow stack-large">\(dueSection)\(if: mayAnswer, formSection)\
      \(assignmentSection(call))\(if: mayAnswer, authors)</div>
      """)
  }

  /// The link for people who write questionnaires, out of the way of those who answer.
  private var authors: Markup {
    Disclosure(
      localizer.text("questionnaires.check.authors"),
      LinkButton(
        localizer.text("questionnaires.check.title"),
        address: "\(Address.questionnaires)/check", kind: .quiet
      ).markup
    ).markup
  }

  private func form(_ url: String) -> ListedQuestionnaire? {
    forms.first { $0.questionnaire.url == url }
  }

  private var dueSection: Markup {
    var listed: Set<String> = []
    let places = due.compactMap { one -> PlaceList.Place? in
      // One answer counts for everyone who asked.
      guard let form = form(one.assignment.questionnaire),
        listed.insert(form.questionnaire.url).inserted
      else { return nil }
      let until = localizer.text(
        "questionnaires.until", ["day": .text(words.day(one.occasion.lastDay))])
      return PlaceList.Place(
        words.text(form.questionnaire.title),
        address: mayAnswer ? QuestionnaireRoutes.address(form) : Address.questionnaires,
        icon: .pencil, hint: until)
    }
    let content: Markup =
      places.isEmpty
      ? "<p>\(localizer.text("questionnaires.none-due"))</p>" : PlaceList(places).markup
    return Section(localizer.text("questionnaires.due"), content).markup
  }

  private var formSection: Markup {
    Section(
      localizer.text("questionnaires.all"),
      "\(each: forms, card)\(weekly)"
    ).markup
  }

  /// The weekly questions about symptoms, which have their own page.
  private var weekly: Markup {
    guard let form = QuestionnaireInstruments.all[.heartWeekly] else { return Markup() }
    let introduction = form.introduction.map(words.text) ?? ""
    return Card(
      title: words.text(form.title), address: SymptomRoutes.path, level: .third,
      "<p>\(introduction)</p>"
    ).markup
  }

  private func card(_ form: ListedQuestionnaire) -> Markup {
    let address = QuestionnaireRoutes.address(form)
    let title = words.text(form.questionnaire.title)
    let history = LinkButton(
      localizer.text("questionnaires.history"), address: "\(address)/history", icon: .chart,
      object: title)
    let plan = LinkButton(
      localizer.text("questionnaires.plan"), address: "\(address)/schedule", icon: .calendar,
      object: title)
    let introduction = form.questionnaire.introduction.map(words.text) ?? ""
    return Card(
      title: title, address: address, level: .third,
      "\(if: !introduction.isEmpty, "<p>\(introduction)</p>")\(ButtonRow("\(history)\(plan)"))"
    ).markup
  }

  private func assignmentSection(_ call: Call) -> Markup {
    guard !assignments.isEmpty else { return Markup() }
    let rows = assignments.map { assignment -> Markup in
      let form = form(assignment.questionnaire)
      let title = form.map { words.text($0.questionnaire.title) } ?? assignment.questionnaire
      let next = assignment.schedule.next(after: today)
      let coming = next.map {
        localizer.text("questionnaires.next-time", ["day": .text(words.day($0.opens))])
      }
      let from =
        assignment.origin == .person
        ? nil
        : localizer.text("questionnaires.asked-by", ["name": .text(assignment.byName)])
      let line = [words.schedule(assignment.schedule), coming, from].compactMap(\.self)
        .joined(separator: " · ")
      let end = FormButton(
        localizer.text("questionnaires.end"),
        action: "\(Address.questionnaires)/\(form?.key ?? "none")/end", token: call.formToken,
        fields: [(name: "assignment", value: assignment.id.text)], kind: .secondary, object: title
      ).markup
      let study = LinkButton(
        localizer.text("studies.title"),
        address: "\(Address.studies)/\(assignment.origin.study ?? "")", object: title
      ).markup
      let isOfStudy = assignment.origin.study != nil
      return Card(
        title: title, level: .third,
        "<p>\(line)</p>\(if: isOfStudy, study)\(if: !isOfStudy, end)"
      ).markup
    }
    return Section(localizer.text("questionnaires.planned"), "\(each: rows, { $0 })").markup
  }
}
