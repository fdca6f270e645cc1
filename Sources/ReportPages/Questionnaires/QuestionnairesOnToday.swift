// SPDX-License-Identifier: Apache-2.0

import Accounts
import Diary
import HTML
import Localization
import Plans
import Presentation
import Web

/// The card on Today with the questionnaires that can be answered: a gentle reminder, without a sound.
package struct QuestionnairesOnToday: TodayContribution {
  /// The number of due questionnaires that open offline.
  private static let mostKept = 4

  /// Creates the contribution.
  package init() {}

  /// Returns the card of the questionnaires that are due; nothing if there are none, or if the viewer may not act.
  package func read(_ today: TodayContext) throws -> TodayAddition {
    guard today.mayAct, today.features.questionnaires else { return .nothing }
    let due = try QuestionnaireAssignments.due(
      of: today.patient.patient, on: today.date, in: today.reader
    ).filter(\.assignment.reminds)
    var forms: [ListedQuestionnaire] = []
    for one in due {
      let url = one.assignment.questionnaire
      guard !forms.contains(where: { $0.questionnaire.url == url }),
        let form = try QuestionnaireCatalogue.find(
          url: url, for: today.signedIn.actor, in: today.reader)
      else { continue }
      forms.append(form)
    }
    guard !forms.isEmpty else { return .nothing }
    return TodayAddition(
      TodayCard(.afterNextDoses) { [forms] page in
        let localizer = page.words.localizer
        let words = QuestionnaireWords(localizer: localizer)
        let places = forms.map {
          PlaceList.Place(
            words.text($0.questionnaire.title), address: QuestionnaireRoutes.address($0),
            icon: .pencil)
        }
        let kept = forms.prefix(Self.mostKept).map(QuestionnaireRoutes.address)
        return Section(
          localizer.text("questionnaires.due"),
          "\(PlaceList(places))\(OfflineCopies.keeping(kept))"
        ).markup
      })
  }
}
