// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The consent and the conditions for taking part.
extension StudyReader {
  /// The most questions of one kind.
  private static let mostQuestions = 20
  /// The youngest age: children cannot consent.
  private static let adult = 18

  /// Reads the consent.
  ///
  /// Without a text, a question with a right answer, a signature and a way to withdraw, no one would know to what
  /// they agree.
  mutating func consent(_ value: JSONValue?, _ place: JSONPlace) -> StudyConsent? {
    let known: Set<String> = ["text", "family", "questions", "signature", "withdrawal"]
    guard let object = self.object(value, place, known, missing: .consent) else { return nil }
    let text = self.text(object["text"], place.member("text"), missing: .consent)
    let family = object["family"].flatMap {
      self.text($0, place.member("family"), missing: .consent)
    }
    var used: Set<String> = []
    var questions: [StudyConsent.Question] = []
    let questionsPlace = place.member("questions")
    let items = list(
      object["questions"], questionsPlace, 1...Self.mostQuestions, missing: .consent)
    for (index, item) in items.enumerated() {
      if let question = comprehension(item, questionsPlace.item(index), &used) {
        questions.append(question)
      }
    }
    let signaturePlace = place.member("signature")
    if let signature = string(object["signature"], signaturePlace, missing: .consent),
      signature != "name"
    {
      refuse(
        signaturePlace, .consent,
        "The only signature is \"name\": the person types it after a new proof of identity.")
    }
    let withdrawal = self.text(
      object["withdrawal"], place.member("withdrawal"), missing: .withdrawal)
    guard let text, let withdrawal, !questions.isEmpty else { return nil }
    return StudyConsent(
      text: text, family: family, questions: questions, withdrawal: withdrawal)
  }

  /// Checks that people who join are told if relatives hear of missed doses, and only then.
  mutating func checkFamily(_ consent: StudyConsent?, _ arms: [StudyArm], _ place: JSONPlace) {
    guard let consent else { return }
    let tells = arms.contains { $0.changes.family != nil }
    if tells, consent.family == nil {
      refuse(place, .consent, "An arm tells relatives once more. The consent must say so here.")
    } else if !tells, consent.family != nil {
      refuse(place, .consent, "No arm tells relatives anything.")
    }
  }

  private mutating func comprehension(
    _ value: JSONValue, _ place: JSONPlace, _ used: inout Set<String>
  ) -> StudyConsent.Question? {
    guard let object = self.object(value, place, ["id", "text", "choices", "right"]) else {
      return nil
    }
    let id = self.id(object["id"], place.member("id"), used: &used)
    let words = text(object["text"], place.member("text"))
    var usedChoices: Set<String> = []
    var choices: [StudyConsent.Question.Choice] = []
    let choicesPlace = place.member("choices")
    for (index, item) in list(object["choices"], choicesPlace, 2...6).enumerated() {
      let here = choicesPlace.item(index)
      guard let choice = self.object(item, here, ["id", "text"]) else { continue }
      let choiceID = self.id(choice["id"], here.member("id"), used: &usedChoices)
      let choiceText = text(choice["text"], here.member("text"))
      if let choiceID, let choiceText {
        choices.append(StudyConsent.Question.Choice(id: choiceID, text: choiceText))
      }
    }
    let right = string(object["right"], place.member("right"), missing: .consent)
    if let right, !usedChoices.contains(right) {
      refuse(place.member("right"), .consent, "The right answer must be one of the choices.")
      return nil
    }
    guard let id, let words, let right else { return nil }
    return StudyConsent.Question(id: id, text: words, choices: choices, right: right)
  }

  /// Reads the conditions for taking part.
  mutating func eligibility(_ value: JSONValue?, _ place: JSONPlace) -> StudyEligibility? {
    guard let object = self.object(value, place, ["age", "activeMedicine", "questions"]) else {
      return nil
    }
    let agePlace = place.member("age")
    var ages: ClosedRange<Int>?
    if let age = self.object(object["age"], agePlace, ["from", "to"]) {
      let from = number(
        age["from"], agePlace.member("from"), Self.adult...120, rule: .consent)
      let through = age["to"].map { number($0, agePlace.member("to"), Self.adult...150) } ?? 150
      if let from, let through {
        if from <= through {
          ages = from...through
        } else {
          refuse(agePlace, .value, "The first age is above the last one.")
        }
      }
    }
    let needsMedicine = flag(object["activeMedicine"], place.member("activeMedicine"))
    var used: Set<String> = []
    var questions: [StudyEligibility.Question] = []
    let questionsPlace = place.member("questions")
    let items = list(object["questions"], questionsPlace, 0...Self.mostQuestions)
    for (index, item) in items.enumerated() {
      let here = questionsPlace.item(index)
      guard let question = self.object(item, here, ["id", "text", "answer"]) else { continue }
      let id = self.id(question["id"], here.member("id"), used: &used)
      let words = text(question["text"], here.member("text"))
      let answer = flag(question["answer"], here.member("answer"))
      if let id, let words, let answer {
        questions.append(StudyEligibility.Question(id: id, text: words, answer: answer))
      }
    }
    guard let ages, let needsMedicine else { return nil }
    return StudyEligibility(ages: ages, needsMedicine: needsMedicine, questions: questions)
  }
}
