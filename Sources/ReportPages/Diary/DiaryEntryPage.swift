// SPDX-License-Identifier: Apache-2.0

import Diary
import HTML
import HTTPTypes
import Hummingbird
import Localization
import Presentation
import Scheduling
import Web

/// The page of one entry.
struct DiaryEntryPage: Sendable {
  let entry: DiaryEntry
  let tracker: Tracker
  let photos: [String]
  let words: DiaryFormatter
  let input: DiaryInput
  let mistake: DiaryError?
  let photoMistake: PhotoMistake?
  let today: CivilDate

  private var localizer: Localizer { words.localizer }
  private var address: String { DiaryEntryRoutes.address(of: entry.id) }

  func response(_ call: Call) -> Response {
    var frame = call.frame()
    frame.title = words.name(tracker)
    frame.lead = "\(words.text(entry.draft.value)) · \(words.clock.text(entry.draft.at))"
    frame.place = .progress
    frame.back = .init(words.name(tracker), address: DiaryRoutes.address(of: tracker.id))
    if let done = call.queryValue("done") {
      frame.flash = FlashBar(localizer.text("diary.done", ["what": .text(done)]))
    }
    var errors =
      mistake.map {
        [FieldError(field: input.field($0, tracker), message: words.text($0))]
      } ?? []
    if let photoMistake {
      errors.append(FieldError(field: "photo", message: text(photoMistake)))
    }
    let mayAct = call.formToken.mayAct
    return call.formPage(
      frame, errors: errors, hasSections: true,
      """
      \(if: !mayAct || !entry.isOwn, details)\
      \(if: mayAct && entry.isOwn, form(call))\(pictures(call))\
      \(if: mayAct, FormButton(
        localizer.text("diary.remove"), action: "\(address)/remove", token: call.formToken,
        kind: .quiet, object: words.text(entry.draft.value)).markup)
      """)
  }

  private var details: Markup {
    """
    \(if: !entry.draft.note.isEmpty, "<p>\(entry.draft.note)</p>" as Markup)\
    \(if: !entry.draft.reason.isEmpty, reason)\
    \(if: !entry.isOwn, "<p class=\"muted\">\(localizer.text("diary.foreign"))</p>" as Markup)
    """
  }

  /// The answer to the question about an unusual value.
  private var reason: Markup {
    """
    <p><span class="muted">\(localizer.text("diary.reason"))</span><br>\(entry.draft.reason)</p>
    """
  }

  private func form(_ call: Call) -> Markup {
    Form(
      action: address, token: call.formToken,
      fields: DiaryFields(
        tracker: tracker, input: input, mistake: mistake, words: words, today: today
      ).markup,
      buttons: Button(
        localizer.text("diary.change"), icon: .check, person: call.formToken.personName
      ).markup
    ).markup
  }

  private func pictures(_ call: Call) -> Markup {
    let path = "\(address)/photos"
    // The hidden fields of a form with a file are read too late to choose the person.
    let visit =
      call.formToken.isVisit
      ? call.formToken.patient.map { PersonChoice.visit(path, $0) } : nil
    let form = Form(
      action: visit ?? path, token: call.formToken, holdsFile: true,
      fields: FormField(
        "photo", label: localizer.text("diary.photo"), kind: .file(types: "image/jpeg,image/png"),
        hint: localizer.text("health-profile.photo.file-hint"),
        error: photoMistake.map(text), localizer: localizer
      ).markup,
      buttons: Button(
        localizer.text("diary.photo-add"), kind: .secondary, icon: .plus,
        person: call.formToken.personName
      ).markup)
    return """
      \(each: Array(photos.enumerated()), { index, photo in
        """
        <p><img class="diary-photo" src="\(path)/\(photo)" \
        alt="\(localizer.text("diary.photo-number", ["number": .number(index + 1)]))"></p>
        """ as Markup
      })\(if: call.formToken.mayAct && photos.count < DiaryPhotos.mostOfEntry, Disclosure(
        localizer.text("diary.photo"), isOpen: photoMistake != nil,
        "<p class=\"muted\">\(localizer.text("diary.photo-online"))</p>\(form)").markup)
      """
  }

  private func text(_ mistake: PhotoMistake) -> String {
    localizer.text("health-profile.photo.problem", ["problem": .text(mistake.rawValue)])
  }
}
