// SPDX-License-Identifier: Apache-2.0

import Diary
import FHIR

/// The questionnaires, the outcomes and the data that leaves the server.
extension StudyReader {
  /// The most days on which one questionnaire is asked.
  private static let mostDays = 60
  private static let instruments = QuestionnaireInstruments.Name.allCases.filter(\.isAskedHere)

  /// Reads the schedule of questionnaires.
  ///
  /// A questionnaire whose scores no one gets would only cost the participants' time.
  mutating func questionnaires(
    _ value: JSONValue?, _ place: JSONPlace, days: Int, _ shares: Set<StudyShare>
  ) -> [StudyQuestionnaire] {
    var used: Set<String> = []
    var found: [StudyQuestionnaire] = []
    let items = list(value, place, 0...Self.instruments.count)
    if !items.isEmpty, !shares.contains(.questionnaires) {
      refuse(
        place, .share, "Add \"questionnaires\" to share, so that the consent names what leaves.")
    }
    for (index, item) in items.enumerated() {
      let here = place.item(index)
      guard let object = self.object(item, here, ["id", "days"]) else { continue }
      let on = self.days(object["days"], here.member("days"), before: max(1, days))
      guard let id = self.id(object["id"], here.member("id"), used: &used) else { continue }
      guard let instrument = Self.instruments.first(where: { $0.rawValue == id }) else {
        let known = Self.instruments.map(\.rawValue).joined(separator: ", ")
        refuse(here.member("id"), .value, "Known questionnaires are \(known).")
        continue
      }
      found.append(StudyQuestionnaire(instrument: instrument, days: on))
    }
    return found
  }

  /// Reads days that grow, counted from the day of joining, within the days of the study.
  private mutating func days(
    _ value: JSONValue?, _ place: JSONPlace, before end: Int
  ) -> [Int] {
    var days: [Int] = []
    for (index, item) in list(value, place, 1...Self.mostDays).enumerated() {
      guard let day = number(item, place.item(index), 0...(end - 1)) else { continue }
      if let last = days.last, last >= day {
        refuse(place.item(index), .value, "The days must grow.")
        continue
      }
      days.append(day)
    }
    return days
  }

  /// Reads the kinds of data that are shared.
  mutating func shares(_ value: JSONValue?, _ place: JSONPlace) -> Set<StudyShare> {
    var shares: Set<StudyShare> = []
    for (index, item) in list(value, place, 1...StudyShare.allCases.count).enumerated() {
      guard let text = string(item, place.item(index)) else { continue }
      guard let share = StudyShare(rawValue: text) else {
        let known = StudyShare.allCases.map(\.rawValue).joined(separator: ", ")
        refuse(place.item(index), .value, "Data that can be shared: \(known).")
        continue
      }
      if !shares.insert(share).inserted {
        refuse(place.item(index), .duplicate, "The data is listed twice.")
      }
    }
    return shares
  }

  /// Reads the outcomes, each of which needs data that the study shares: consent names all that leaves the server.
  mutating func outcomes(
    _ value: JSONValue?, _ place: JSONPlace, _ shares: Set<StudyShare>
  ) -> [StudyOutcome] {
    var used: Set<String> = ["participant", "arm"]
    var outcomes: [StudyOutcome] = []
    for (index, item) in list(value, place, 1...20).enumerated() {
      let here = place.item(index)
      guard let object = self.object(item, here, ["id", "measure", "minutes"]) else { continue }
      let id = self.id(object["id"], here.member("id"), used: &used)
      let measurePlace = here.member("measure")
      guard let name = string(object["measure"], measurePlace) else { continue }
      guard let measure = StudyOutcome.Measure(rawValue: name) else {
        let known = StudyOutcome.Measure.allCases.map(\.rawValue).joined(separator: ", ")
        refuse(measurePlace, .value, "Known measures are \(known).")
        continue
      }
      if !shares.contains(measure.share) {
        refuse(
          measurePlace, .share,
          "Add \"\(measure.share.rawValue)\" to share, so that the consent names what leaves.")
      }
      var minutes = 0
      if measure == .timing {
        minutes = number(object["minutes"], here.member("minutes"), 1...720) ?? 0
      } else if object["minutes"] != nil {
        refuse(here.member("minutes"), .unknown, "Only the measure timing has minutes.")
      }
      if let id { outcomes.append(StudyOutcome(id: id, measure: measure, minutes: minutes)) }
    }
    return outcomes
  }
}

extension StudyOutcome.Measure {
  /// The data without which the figure cannot be computed.
  var share: StudyShare {
    switch self {
    case .daysCovered, .timing: .doses
    case .ringToAnswer: .reminders
    case .falseQuestionDays: .heartRateQuestions
    }
  }
}
