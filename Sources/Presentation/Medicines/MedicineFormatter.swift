// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import HTML
import Instructions
import Localization
import Plans
import Scheduling
import Storage
import Web

/// Formats medicines, amounts and schedules in a person's language.
package struct MedicineFormatter: Sendable {
  /// The language of the text.
  package let localizer: Localizer

  /// Creates a formatter for one language.
  package init(localizer: Localizer) {
    self.localizer = localizer
  }

  /// Returns an amount, `1 tablet`; with the sender's own unit if it is not supported.
  package func amount(_ amount: Amount) -> String {
    guard let value = Amount.decimal(amount.value) else {
      let word = UnitAnnotation.word(code: amount.code, text: amount.unit)
      return localizer.amount(amount.value, word: word)
    }
    if amount.unit == PlanDraft.placeboUnit {
      return localizer.text("patterns.placebo", ["count": .text(localizer.number(value))])
    }
    return localizer.amount(value, code: amount.code, unit: amount.unit)
  }

  /// Returns the name of a form of medicine, such as a tablet.
  package func name(of form: MedicineForm) -> String {
    localizer.text("medicines.form-name", ["form": .text(form.rawValue)])
  }

  /// Returns the name of a unit of strength; an unsupported unit stays as the sender wrote it.
  package func name(ofStrengthUnit unit: String) -> String {
    guard let known = StrengthUnit(rawValue: unit) else {
      return UnitAnnotation.word(unit)
    }
    return localizer.text(MessageKey("medicines.strength-unit.\(known.key)"))
  }

  /// Returns the name of an event of the day with a capital letter, for a list of choices.
  package func name(ofEvent code: String) -> String {
    localizer.capitalized(localizer.text("dosage.event", ["event": .text(code)]))
  }

  /// Returns the times, `08:00 and 20:00` or `before breakfast`; nil if a plan has no times of day.
  package func times(_ plan: Plan) -> String? {
    guard plan.kind == .calendar, !plan.slots.isEmpty else { return nil }
    let times = plan.slots.map(\.time)
    let clocks = Set(
      times.compactMap { time in
        if case .clock(let clock) = time { clock } else { nil }
      })
    let events = times.compactMap { time in
      if case .event(let event, _) = time { event } else { nil }
    }
    let words =
      clocks.sorted().map { localizer.time(hour: $0.hour, minute: $0.minute) }
      + events.map { localizer.text("dosage.event", ["event": .text($0.code)]) }
    return words.isEmpty ? nil : localizer.capitalized(localizer.list(words))
  }

  /// Returns a sentence about the plan's times during travel; nil if it has no times.
  ///
  /// - Parameter clock: The clock of the person's current zone, to show the times there; nil to
  ///   leave them out.
  package func travel(_ plan: Plan, on clock: MedicineClock? = nil, at now: Timestamp? = nil)
    -> String?
  {
    let place = ZonePlace.name(plan.zone)
    switch plan.kind {
    case .none: return nil
    case .instants: return localizer.text("medicines.travel-instants")
    case .elapsed: return localizer.text("medicines.travel-elapsed")
    case .calendar:
      return switch plan.policy {
      case .follow: localizer.text("medicines.travel-follow", ["place": .text(place)])
      case .home: localizer.text("medicines.travel-home", ["place": .text(place)])
      case .elapsed: hours(plan, clock, now)
      }
    }
  }
}

extension MedicineFormatter {
  /// Returns how a plan that keeps the hours between its doses works at home and away.
  private func hours(_ plan: Plan, _ clock: MedicineClock?, _ now: Timestamp?) -> String {
    guard let fixed = FixedOffset(identifier: plan.zone) else {
      return localizer.text(
        "medicines.travel-hours-home", ["place": .text(ZonePlace.name(plan.zone))])
    }
    guard let clock, let now,
      let times = TravelTimes(plan, offset: fixed.seconds, in: clock.zone, at: now)
        .text(localizer)
    else { return localizer.text("medicines.travel-hours") }
    return localizer.text(
      "medicines.travel-hours-there",
      ["times": .text(times), "place": .text(ZonePlace.name(clock.zone.identifier))])
  }
}

/// The dosage of a prescription in words, with everything that the sentence leaves out.
package struct DosageFormatter: Sendable {
  /// The sentence in the person's language.
  package let sentence: String
  /// The sender's own words that the sentence does not already contain.
  package let quotes: [String]
  /// The FHIR paths of elements that the sentence does not express.
  package let unvoiced: [String]

  /// Reads the dosages of a prescription.
  package init(_ request: MedicationRequestView, language: Language) {
    // Content of our own extensions has its own lines on the page.
    let written = DosageWriter.sentence(
      for: request.dosages.map(DosageExtension.without), language: language)
    let besides = PatternFormatter(localizer: Localizer.of(language)).lines(of: request)
    sentence = ([written.text] + besides).joined(separator: " ")
    quotes = request.dosages.compactMap(\.text).filter { text in
      !TypedText.trimmed(text).isEmpty && !written.text.contains(TypedText.trimmed(text))
    }
    unvoiced = written.unvoiced
  }
}

/// The sender's own words as a quotation.
package struct SenderText: PagePart {
  /// The dosage whose quotes are shown.
  package let words: DosageFormatter
  /// The language of the caption.
  package let localizer: Localizer

  /// Creates the quotation.
  package init(words: DosageFormatter, localizer: Localizer) {
    self.words = words
    self.localizer = localizer
  }

  /// The quotation; empty if there are no words of the sender.
  package var markup: Markup {
    guard !words.quotes.isEmpty else { return Markup() }
    return """
      <figure class="stack-small"><figcaption class="muted small">\
      \(localizer.text("medicines.sender-words"))</figcaption>\
      \(each: words.quotes, { "<blockquote class=\"quote\">\($0)</blockquote>" })</figure>
      """
  }
}
