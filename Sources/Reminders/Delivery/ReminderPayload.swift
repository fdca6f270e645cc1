// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Localization
import Plans
import Scheduling
import Storage

extension ReminderContent {
  /// Returns the JSON of a push message in two lengths; the small one is for services that refused the full
  /// one.
  ///
  /// Safari 18.4 and later shows the declarative part without a worker.
  ///
  /// - Parameter account: the owner of the device; button presses are sent only for this account.
  package func payload(
    baseURL: String, account: AccountID
  ) -> (full: [UInt8], small: [UInt8]) {
    let words = ReminderText(self)
    let named = Array(doses.prefix(Self.mostNamed))
    return (
      fitted(named, limit: Self.fullLimit) { full(words, $0, baseURL, account) },
      fitted(named, limit: Self.smallLimit) { small(words, $0, baseURL, account) }
    )
  }

  static let fullLimit = 3_000
  static let smallLimit = 2_000
  /// The maximum number of doses named: enough for any group; a longer summary shows the rest on its page.
  private static let mostNamed = 64

  private func fitted(
    _ named: [NamedDose], limit: Int, _ payload: ([NamedDose]) -> JSONValue
  ) -> [UInt8] {
    var count = named.count
    while true {
      let bytes = payload(Array(named.prefix(count))).bytes
      if bytes.count <= limit || count <= 1 { return bytes }
      count -= max(1, count / 8)
    }
  }

  private func full(
    _ words: ReminderText, _ named: [NamedDose], _ baseURL: String, _ account: AccountID
  ) -> JSONValue {
    var payload = small(words, named, baseURL, account)
    var plans: [JSONValue] = []
    for dose in named where !plans.contains(.string(dose.plan.text)) {
      plans.append(.string(dose.plan.text))
    }
    payload["plans"] = .array(plans)
    payload["notification"]?["body"] = .string(words.body)
    payload["notification"]?["lang"] = .string(language.tag)
    return payload
  }

  private func small(
    _ words: ReminderText, _ named: [NamedDose], _ baseURL: String, _ account: AccountID
  ) -> JSONValue {
    var payload: JSONValue = [
      "kind": .string(kind.rawValue), "delivery": .string(delivery.text),
      "subject": .string(subject.text), "account": .string(account.text),
      "patient": .string(patient.text),
      "due": .string(dueText),
      "doses": .array(named.map { .string($0.id) }),
    ]
    if let first = named.first { payload["dose"] = .string(first.id) }
    payload["plans"] = .array(named.prefix(1).map { .string($0.plan.text) })
    payload["tag"] = .string(tag)
    payload["title"] = .string(words.title)
    payload["body"] = .string(words.body)
    // No buttons until the page has been opened.
    if needsReview || isForFamily || !kind.handler.hasButtons { payload["actions"] = [] }
    if let alert, !isForFamily {
      payload["occasion"] = .string(alert.id.text)
      payload["minutes"] = alert.later.map { .number(JSONNumber($0)) }
      payload["actions"] = .array(
        ([.alert(.done)] + (alert.later.map { [.alert(.later, minutes: $0)] } ?? []))
          .map { (answer: LinkAnswer) in
            ["action": .string(answer.word), "title": .string(words.answer(answer))]
          })
      // "Done" would seem to log the dose, or to answer a question.
      if HomeDeviceQuestion(of: alert.id) != nil || DiaryAlert(of: alert.id) != nil
        || QuestionnaireAlert.isOne(alert.id)
      {
        payload["actions"] = []
      }
      if DiaryAlert(of: alert.id) == .followUp,
        let administration = DiaryAlert.administration(of: alert.id)
      {
        payload["question"] = .string(administration.text)
        payload["actions"] = .array(DiaryAlert.answers.map { words.action($0) })
      }
    }
    payload["web_push"] = 8030
    payload["notification"] = [
      "title": .string(words.title), "navigate": .string(baseURL + path), "tag": .string(tag),
    ]
    return payload
  }

  /// The due time as a FHIR instant, with the offset of the patient's zone.
  package var dueText: String {
    FHIRDateTime.instantText(
      milliseconds: due.milliseconds,
      offsetMinutes: zone.offsetSeconds(at: Instant(due)) / 60)
  }
}
