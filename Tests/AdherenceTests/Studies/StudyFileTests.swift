// SPDX-License-Identifier: Apache-2.0

import Diary
import Foundation
import Identifiers
import Localization
import Reminders
import Testing
import TestSupport

@testable import Studies

/// Study files: what is read, and which files cannot be loaded.
@Suite struct StudyFileTests {
  private func problems(_ text: String) -> [StudyProblem] {
    do throws(StudyFile.Refused) {
      _ = try StudyFile(Array(text.utf8))
      return []
    } catch {
      return error.problems
    }
  }

  @Test func `a file is read with its arms, outcomes and texts`() throws {
    let study = try StudyFile(Array(StudySample.text.utf8)).definition
    #expect(study.id == "reminders-2026" && study.version == 1 && study.days == 84)
    #expect(study.arms.map(\.id) == ["basic", "escalating"])
    #expect(study.arms[0].changes.isEmpty)
    #expect(study.arms[1].changes.moreReminders == [15])
    #expect(study.arms[1].changes.earlyNotice == 10)
    #expect(study.eligibility.ages.contains(18) && !study.eligibility.ages.contains(17))
    #expect(study.outcomes.map(\.minutes) == [0, 60, 0])
    #expect(study.title.text(in: .de) == "Erinnerungen, die nachhaken")
    #expect(study.title.text(in: .th) == "Reminders that insist")
    #expect(study.consent.mistakes(in: ["leave": "no"]) == ["leave"])
    #expect(study.consent.mistakes(in: [:]) == ["leave"])
    #expect(study.consent.mistakes(in: ["leave": "yes"]).isEmpty)
  }

  /// A file with one fault, its place and its rule.
  struct Fault: Sendable {
    let text: String
    let path: String
    let rule: StudyRule

    init(_ text: String, _ path: String, _ rule: StudyRule) {
      (self.text, self.path, self.rule) = (text, path, rule)
    }
  }

  private static let consent = StudySample.consent
  private static let shared = #"["doses", "answers", "reminders", "questionnaires"]"#

  static let faults: [Fault] = [
    Fault(StudySample.file(consent: "null"), "consent", .consent),
    Fault(StudySample.file(consent: "true"), "consent", .type),
    Fault(
      StudySample.file(consent: consent.replacing("\"signature\": \"name\",", with: "")),
      "consent.signature", .consent),
    Fault(
      StudySample.file(consent: consent.replacing("\"name\",", with: "\"none\",")),
      "consent.signature", .consent),
    Fault(
      StudySample.file(consent: consent.replacing("\"right\": \"yes\"", with: "\"right\": \"x\"")),
      "consent.questions[0].right", .consent),
    Fault(
      StudySample.file(
        consent: consent.replacing("\"en\": \"You can stop at any time.\",", with: "")),
      "consent.withdrawal.en", .withdrawal),
    Fault(
      StudySample.file(consent: consent.replacing("\"withdrawal\"", with: "\"leaving\"")),
      "consent.leaving", .unknown),
    Fault(
      StudySample.file(escalating: #"{"silent": true}"#), "arms[1].changes.silent", .safety),
    Fault(
      StudySample.file(escalating: #"{"heartRateQuestions": "off"}"#),
      "arms[1].changes.heartRateQuestions", .safety),
    Fault(
      StudySample.file(escalating: #"{"moreReminders": []}"#),
      "arms[1].changes.moreReminders", .safety),
    Fault(
      StudySample.file(escalating: #"{"earlyNotice": 0}"#), "arms[1].changes.earlyNotice",
      .safety),
    Fault(StudySample.file(age: #"{"from": 12}"#), "eligibility.age.from", .consent),
    Fault(StudySample.file(age: #"{"from": 50, "to": 40}"#), "eligibility.age", .value),
    Fault(StudySample.file(blocks: "[3]"), "allocation.blocks[0]", .blocks),
    Fault(StudySample.file(share: #"["doses"]"#), "outcomes[2].measure", .share),
    Fault(StudySample.file(share: #"["names"]"#), "share[0]", .value),
    Fault(StudySample.file(version: 0), "version", .value),
    Fault(StudySample.file(more: ", \"note\": 1"), "note", .unknown),
    Fault(
      StudySample.text.replacing(", \"de\": \"Wie bisher\"", with: ""), "arms[0].title.de",
      .language),
    Fault(
      StudySample.text.replacing("\"id\": \"escalating\"", with: "\"id\": \"basic\""),
      "arms[1].id", .duplicate),
    Fault(
      StudySample.file(share: shared, questionnaires: #"[{"id": "phq-9", "days": [0]}]"#),
      "questionnaires[0].id", .value),
    Fault(
      StudySample.file(share: shared, questionnaires: #"[{"id": "heart-weekly", "days": [0]}]"#),
      "questionnaires[0].id", .value),
    Fault(
      StudySample.file(share: shared, questionnaires: #"[{"id": "aims", "days": [0, 84]}]"#),
      "questionnaires[0].days[1]", .value),
    Fault(
      StudySample.file(share: shared, questionnaires: #"[{"id": "aims", "days": [7, 7]}]"#),
      "questionnaires[0].days[1]", .value),
    Fault(
      StudySample.file(share: shared, questionnaires: #"[{"id": "aims", "days": []}]"#),
      "questionnaires[0].days", .required),
    Fault(
      StudySample.file(
        share: shared,
        questionnaires: #"[{"id": "aims", "days": [0]}, {"id": "aims", "days": [7]}]"#),
      "questionnaires[1].id", .duplicate),
    Fault(
      StudySample.file(questionnaires: #"[{"id": "aims", "days": [0]}]"#), "questionnaires",
      .share),
    Fault(
      StudySample.file(escalating: #"{"channels": [{"channel": "call", "minutes": 5}]}"#),
      "arms[1].changes.channels[0].channel", .value),
    Fault(
      StudySample.file(escalating: #"{"channels": [{"channel": "sms", "minutes": 0}]}"#),
      "arms[1].changes.channels[0].minutes", .value),
    Fault(
      StudySample.file(escalating: #"{"channels": [{"channel": "sms", "silent": true}]}"#),
      "arms[1].changes.channels[0].silent", .safety),
    Fault(
      StudySample.file(escalating: #"{"channels": []}"#), "arms[1].changes.channels", .safety),
    Fault(StudySample.file(escalating: #"{"family": 45}"#), "consent.family", .consent),
    Fault(
      StudySample.file(escalating: #"{"family": 0}"#, consent: StudySample.consentWithFamily),
      "arms[1].changes.family", .safety),
    Fault(
      StudySample.file(consent: StudySample.consentWithFamily), "consent.family", .consent),
    Fault("{\"id\": }", "", .json),
  ]

  @Test(arguments: faults.indices)
  func `a file with a fault cannot be loaded`(index: Int) {
    let fault = Self.faults[index]
    let found = problems(fault.text)
    #expect(
      found.contains { $0.path == fault.path && $0.rule == fault.rule },
      "\(fault.path) \(fault.rule): \(found.map(\.description))")
  }

  @Test func `a fault names its line`() throws {
    let found = problems(StudySample.file(escalating: #"{"silent": true}"#))
    let line = try #require(found.first).line
    let lines = StudySample.file(escalating: #"{"silent": true}"#).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[line - 1].contains("silent"))
    let start = "line \(line), arms[1].changes.silent: safety"
    #expect(found.first?.description.hasPrefix(start) == true)
  }

  @Test func `the example can be loaded`() throws {
    let file = URL(filePath: #filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Examples/study.json")
    let study = try StudyFile(Array(try Data(contentsOf: file))).definition
    #expect(study.arms.map(\.changes.moreReminders) == [[], [15, 30]])
    #expect(study.consent.text.paragraphs(in: .en).count == 2)
  }

  @Test func `questionnaires, channels and relatives are read`() throws {
    let changes = #"{"channels": [{"channel": "sms", "minutes": 30}], "family": 45}"#
    let text = StudySample.file(
      escalating: changes, consent: StudySample.consentWithFamily, share: Self.shared,
      questionnaires: #"[{"id": "adherence", "days": [0, 77]}]"#)
    let study = try StudyFile(Array(text.utf8)).definition
    #expect(
      study.questionnaires == [StudyQuestionnaire(instrument: .adherence, days: [0, 77])])
    let arm = study.arms[1].changes
    #expect(arm.channels == [.init(channel: .sms, minutes: 30)] && arm.family == 45)
    #expect(arm.addsSteps && !arm.isEmpty)
    #expect(
      study.consent.paragraphs(in: .en) == [
        "We read when you take your medicine.", "People you let know are told again.",
        "You can stop at any time.",
      ])
  }

  @Test func `an unknown questionnaire is refused with its line`() throws {
    let text = StudySample.file(
      share: Self.shared, questionnaires: #"[{"id": "phq-9", "days": [0]}]"#)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let line = try #require(lines.firstIndex { $0.contains("phq-9") }) + 1
    #expect(
      problems(text).map(\.description) == [
        "line \(line), questionnaires[0].id: value: Known questionnaires are adherence, "
          + "usability, aims."
      ])
  }

  @Test func `all faults are reported at once`() {
    let text = StudySample.file(escalating: #"{"silent": true}"#, age: #"{"from": 3}"#)
    #expect(problems(text).count == 2)
  }
}
