// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Plans
import Presentation
import Web

/// The note about unsaved changes; it also says how the medicine was changed elsewhere in the
/// meantime.
struct ChangeNotice: PagePart {
  let opened: OpenedDraft

  var markup: Markup {
    guard let plan = opened.changed, opened.draft.version > 0 else { return Markup() }
    let localizer = opened.localizer
    let discard = FormButton(
      localizer.text("add-medicine.discard-change"), action: opened.site.discard(opened.draft.id),
      token: opened.site.token, kind: .quiet, object: plan.medicineName)
    guard opened.isBehind else {
      return Notice(
        .information, title: localizer.text("add-medicine.unsaved"), discard.markup
      ).markup
    }
    let words = DosageFormatter(plan.request, language: localizer.language)
    return Notice(
      .warning,
      title: localizer.text("add-medicine.behind", ["name": .text(plan.medicineName)]),
      """
      <p>\(plan.medicineName): \(words.sentence)</p>\
      <p>\(localizer.text("add-medicine.behind-help"))</p>\(discard)
      """
    ).markup
  }
}
