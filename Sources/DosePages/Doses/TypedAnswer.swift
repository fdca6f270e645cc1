// SPDX-License-Identifier: Apache-2.0

import Dosing
import Localization
import Plans
import Presentation
import Scheduling
import Storage
import Web

/// The form of an answer as submitted, kept so that no input is lost.
struct TypedAnswer: Sendable {
  let action: AnswerAction
  let event: String?
  let date: String?
  let time: String?
  /// The raw value of a ``SkipReason``, or empty.
  let reason: String?
  /// The person's own words.
  let words: String?
  let minutes: String?
  let amount: String?
  let corrects: String?
  /// The administrations that the person was asked about and confirmed.
  let asked: Set<String>
  let returnPath: String
  /// All submitted fields, for a question that submits them again.
  let pairs: [FormPair]

  init(_ form: FormBody) throws {
    guard let action = form.text("action").flatMap(AnswerAction.init(rawValue:)) else {
      throw Failure.badRequest("value", "action must name an answer.")
    }
    self.action = action
    event = form.text("event")
    date = form.text("at-date")
    time = form.text("at-time")
    reason = form.text("reason")
    words = form.text("reason-words") ?? form.text("later-reason")
    minutes = form.text("minutes")
    amount = form.text("amount-value")
    corrects = form.text("corrects")
    asked = Set(form.all("confirm"))
    returnPath = LocalPath.checked(form.text("return")) ?? "/"
    pairs = form.pairs
  }

  /// True if the form contains more than the button.
  var hasDetails: Bool {
    [date, time, reason, words, amount].contains { $0 != nil }
  }

  /// True if the dose was skipped because the person felt unwell, so that advice comes next.
  var needsAdvice: Bool {
    (action == .skipped || action == .refused)
      && (reason.flatMap(SkipReason.init(rawValue:))?.needsAdvice ?? false)
  }

  /// Returns the command for a dose, with the mistakes in the form.
  func request(
    for dose: Dose, zone: Zone, now: Timestamp, localizer: Localizer
  ) -> (request: AnswerRequest, mistakes: [AnswerMistake]) {
    var request = AnswerRequest(action: action, event: event)
    var mistakes: [AnswerMistake] = []
    do throws(AnswerMistake) {
      request.at = try LocalMoment.read(date: date, time: time, zone: zone, now: now)
    } catch {
      mistakes.append(error)
    }
    if let at = request.at, let answer = dose.answer, answer.action == action,
      isSameMinute(at, answer.at)
    {
      // The field shows minutes; unchanged it stands for the exact recorded time.
      request.at = nil
    }
    if let amount {
      let unit = (dose.answer?.amount ?? dose.amount)?.unit ?? dose.amount?.unit ?? ""
      let typed = Amount(value: LocalMoment.decimal(amount), unit: unit, code: dose.amount?.code)
      if let typed {
        let known = dose.answer?.amount ?? dose.amount
        let isChanged = Amount.decimal(typed.value) != known.flatMap { Amount.decimal($0.value) }
        request.amount = isChanged ? typed : nil
      } else {
        mistakes.append(.amountWrong)
      }
    }
    request.reason = SkipReason.text(reason, words: words, localizer)
    request.minutes = minutes.flatMap { Int($0) }
    request.corrects = corrects.flatMap { Int64($0) }
    return (request, mistakes)
  }

  private func isSameMinute(_ one: Timestamp, _ other: Timestamp) -> Bool {
    one == other || one.milliseconds == other.milliseconds - other.milliseconds % 60_000
  }
}

/// Common reasons for skipping a dose, so that no one has to type.
enum SkipReason: String, CaseIterable, Sendable {
  case unwell
  case sideEffects = "side-effects"
  case ranOut = "ran-out"
  case doctor
  case forgot
  case other

  /// True for a reason after which someone should be asked.
  var needsAdvice: Bool { self == .unwell || self == .sideEffects }

  func label(_ localizer: Localizer) -> String {
    localizer.text(MessageKey("dose.reason.\(rawValue)"))
  }

  /// Returns true if the reason of an answer, in any language, is one after which someone should be
  /// asked.
  static func needsAdvice(_ dose: Dose) -> Bool {
    guard dose.state == .skipped || dose.state == .refused, let reason = dose.answer?.reason
    else { return false }
    return Language.allCases.contains { language in
      allCases.contains { $0.needsAdvice && reason.hasPrefix($0.label(Localizer.of(language))) }
    }
  }

  /// Returns the reason to store: the chosen text and the person's own words.
  static func text(_ code: String?, words: String?, _ localizer: Localizer) -> String? {
    guard let code, let chosen = SkipReason(rawValue: code), chosen != .other else { return words }
    let label = chosen.label(localizer)
    return words.map { "\(label): \($0)" } ?? label
  }
}
