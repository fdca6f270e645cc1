// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import People
import Plans
import SiteMap
import Storage
import Web

/// Puts the plan's own rule for a missed dose into words, or the advice to ask a professional if it
/// has none.
package struct MissedDoseAdviceText: Sendable {
  /// The formatter of times and durations.
  package let words: DoseFormatter

  /// Creates a text in the language and zone of a formatter.
  package init(words: DoseFormatter) {
    self.words = words
  }

  private var localizer: Localizer { words.localizer }

  /// Returns one or two sentences.
  func text(_ advice: MissAdvice) -> String {
    switch advice {
    case .takeUntil(let end):
      return localizer.text("missed-dose-advice.take-until", ["time": .text(words.moment(end))])
    case .tooLate(let end, let next):
      return localizer.text("missed-dose-advice.too-late", ["time": .text(words.moment(end))])
        + then(next)
    case .skip(let next): return localizer.text("missed-dose-advice.skip") + then(next)
    case .shift(let hours, let from):
      return localizer.text(
        "missed-dose-advice.shift",
        [
          "length": .text(words.duration(minutes: hours * 60)), "time": .text(words.moment(from)),
        ])
    case .ask: return localizer.text("missed-dose-advice.ask")
    }
  }

  private func then(_ next: Timestamp?) -> String {
    guard let next else { return "" }
    return " " + localizer.text("missed-dose-advice.next", ["time": .text(words.moment(next))])
  }

  /// Returns the rule itself, as the page of a medicine states it.
  package func text(_ rule: MissedDoseAdvice) -> String {
    localizer.text(
      "missed-dose-advice.rule",
      [
        "rule": .text(rule.code),
        "length": .text(words.duration(minutes: (rule.hours ?? 0) * 60)),
      ])
  }
}

/// The notice on the page of a late or missed dose.
package struct MissedDoseAdvicePart: PagePart {
  /// The advice for this dose.
  package let advice: MissAdvice
  /// The contacts to call; empty if none are entered or the actor has no access to them.
  package let contacts: [CareContact]
  /// The formatter of times and durations.
  package let words: DoseFormatter
  /// True if the actor may act for the patient, and so may enter a contact.
  package let mayAct: Bool
  /// A rule that contradicts the plan's own, in words; nil if there is none.
  package var clash: String?

  /// Creates the notice.
  package init(
    advice: MissAdvice, contacts: [CareContact], words: DoseFormatter, mayAct: Bool,
    clash: String? = nil
  ) {
    self.advice = advice
    self.contacts = contacts
    self.words = words
    self.mayAct = mayAct
    self.clash = clash
  }

  private var localizer: Localizer { words.localizer }

  /// The notice, with contacts if someone must be asked.
  package var markup: Markup {
    let said = MissedDoseAdviceText(words: words).text(advice)
    guard advice == .ask || clash != nil else {
      return Notice(
        .information, title: said, "<p>\(localizer.text("missed-dose-advice.source"))</p>"
      ).markup
    }
    let contradicted: Markup =
      clash.map { "<ul class=\"stack-small\" role=\"list\"><li>\(said)</li><li>\($0)</li></ul>" }
      ?? Markup()
    let title = clash == nil ? said : localizer.text("rescheduling.clash")
    let numbers: Markup =
      contacts.isEmpty
      ? Markup(
        if: mayAct,
        """
        <p>\(localizer.text("missed-dose-advice.no-number"))</p>\
        \(LinkButton(
          localizer.text("missed-dose-advice.enter-number"), address: Address.medicalContacts, kind: .quiet,
          icon: .pencil))
        """)
      : CareContactLines(contacts: contacts, localizer: localizer).markup
    return Notice(.warning, title: title, "\(contradicted)\(numbers)").markup
  }
}

/// The phone numbers of doctor and pharmacy.
package struct CareContactLines: PagePart {
  let contacts: [CareContact]
  let localizer: Localizer

  /// Creates the list.
  package init(contacts: [CareContact], localizer: Localizer) {
    self.contacts = contacts
    self.localizer = localizer
  }

  /// The list; empty without contacts.
  package var markup: Markup {
    guard !contacts.isEmpty else { return Markup() }
    return "<ul>\(each: contacts, { "<li>\(line($0))</li>" })</ul>"
  }

  private func line(_ contact: CareContact) -> Markup {
    let role = localizer.text("missed-dose-advice.role", ["role": .text(contact.role.rawValue)])
    let number = String(
      contact.phone.unicodeScalars.filter { "+0123456789".unicodeScalars.contains($0) })
    return """
      \(role)\(if: !contact.name.isEmpty, " · \(contact.name)"): \
      <a href="tel:\(number)">\(contact.phone)</a>
      """
  }
}

extension Markup {
  fileprivate init(if condition: Bool, _ content: Markup) {
    self = condition ? content : Markup()
  }
}
