// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Knowledge
import Localization
import Plans
import Scheduling
import Storage
import Web

/// Puts the questions about a plan into plain words, with their numbers.
package struct QuestionText: Sendable {
  /// The language of the questions.
  package let localizer: Localizer

  /// Creates a text for one language.
  package init(localizer: Localizer) {
    self.localizer = localizer
  }

  /// Returns a question about a schedule that is too frequent or an unusual amount.
  package func text(_ question: PlanQuestion) -> String {
    switch question {
    case .tooOften(let breach): text(breach)
    case .amount(let finding): text(finding)
    case .supply(let question): text(question)
    }
  }

  private func text(_ question: SupplyQuestion) -> String {
    let length = question.length
    let span = localizer.text(
      "dosage.span", ["n": .number(length.count), "unit": .text(length.unit)])
    return localizer.text(
      "questions.supply",
      ["kind": .text(question.hasRefills ? "refills" : "span"), "span": .text(span)])
  }

  /// Returns an answer to the question about the supply, for a button or a choice.
  package func text(_ answer: SupplyQuestion.Answer, _ question: SupplyQuestion) -> String {
    switch answer {
    case .stop:
      localizer.text("questions.supply-stop", ["date": .text(day(question.lastDay))])
    case .goOn: localizer.text("questions.supply-go-on")
    }
  }

  private func day(_ date: CivilDate) -> String {
    localizer.date(
      LocalDay(
        year: date.year, month: date.month, day: date.day, isoWeekday: date.weekday.rawValue),
      .medium)
  }

  private func text(_ breach: FrequencyBreach) -> String {
    localizer.text(
      "questions.too-often",
      [
        "name": .text(breach.shownName(in: localizer.language)),
        "count": .number(breach.rule.doses),
        "days": .number(breach.rule.days), "found": .number(breach.doses ?? 0),
        "kind": .text(breach.doses == nil ? "needed" : "times"),
      ])
  }

  private func text(_ finding: AmountFinding) -> String {
    localizer.text(
      "questions.unusual",
      [
        "kind": .text(finding.kind.rawValue), "amount": .text(amount(finding)),
        "strength": .text(finding.strength ?? ""),
        "least": .text(milligrams(finding.least)), "most": .text(milligrams(finding.most)),
      ])
  }

  /// Returns the sentence that says who confirmed a schedule or an amount, and when.
  package func text(_ kept: PlanConfirmations.Kept, _ words: DoseFormatter) -> String {
    let isAmount = kept.confirmation.question.hasPrefix("amount-")
    return localizer.text(
      "questions.confirmed-by",
      [
        "kind": .text(isAmount ? "amount" : "schedule"), "name": .text(kept.byName),
        "when": .text(words.moment(kept.made)),
      ])
  }

  /// Returns the label of the box that confirms an amount.
  func isRight(_ finding: AmountFinding) -> String {
    localizer.text("questions.amount-right", ["amount": .text(amount(finding))])
  }

  private func amount(_ finding: AmountFinding) -> String {
    DoseFormatter(localizer: localizer, zone: .utc, now: Timestamp(milliseconds: 0))
      .amount(finding.amount)
  }

  private func milligrams(_ value: Decimal?) -> String {
    value.map { localizer.amount($0, .milligram) } ?? ""
  }

  /// Returns the form's answer to a question.
  static func answer(_ question: PlanQuestion, _ form: FormBody) -> String {
    switch question {
    case .tooOften: form.text(SafetyQuestionFields.wordField) ?? ""
    case .amount(let finding): finding.stated
    case .supply: form.text(SafetyQuestionFields.supplyField) ?? ""
    }
  }
}

extension SupplyQuestion {
  /// Returns the FHIR issue about a prescription without an end, with its text in English.
  ///
  /// - Parameter note: a sentence that says what happens meanwhile.
  package func issue(_ severity: FHIRIssue.Severity, note: String) -> FHIRIssue {
    let question = QuestionText(localizer: Localizer.of(.en)).text(.supply(self))
    return FHIRIssue(
      severity: severity, code: .businessRule,
      expression: "MedicationRequest.dispenseRequest.expectedSupplyDuration",
      diagnostics: "The dosage has no end. \(question) \(note)")
  }
}

extension AmountFinding {
  /// Returns the FHIR issue about an unusual amount, with its text in English.
  package func issue(_ severity: FHIRIssue.Severity) -> FHIRIssue {
    FHIRIssue(
      severity: severity, code: .businessRule,
      expression: "MedicationRequest.dosageInstruction.doseAndRate.doseQuantity",
      diagnostics: QuestionText(localizer: Localizer.of(.en)).text(.amount(self)))
  }
}
