// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The questionnaires, the outcomes and the data that leaves the server.
extension StudyReader {
  /// Reads the schedule of questionnaires.
  mutating func questionnaires(
    _ value: JSONValue?, _ place: JSONPlace, days: Int, isPossible: Bool
  ) -> [StudyQuestionnaire] {
    let items = list(value, place, 0...20)
    if !items.isEmpty, !isPossible {
      refuse(place, .unavailable, "This installation cannot schedule questionnaires of a study.")
      return []
    }
    var used: Set<String> = []
    var found: [StudyQuestionnaire] = []
    for (index, item) in items.enumerated() {
      let here = place.item(index)
      guard let object = self.object(item, here, ["id", "days"]) else { continue }
      let id = self.id(object["id"], here.member("id"), used: &used)
      let daysPlace = here.member("days")
      var on: [Int] = []
      for (number, day) in list(object["days"], daysPlace, 1...60).enumerated() {
        if let day = self.number(day, daysPlace.item(number), 0...max(0, days)) { on.append(day) }
      }
      if let id { found.append(StudyQuestionnaire(id: id, days: on)) }
    }
    return found
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
