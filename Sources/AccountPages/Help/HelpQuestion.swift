// SPDX-License-Identifier: Apache-2.0

import Localization
import SiteMap
import Web

/// A common question with its answer, and the page to do it on.
enum HelpQuestion: String, Sendable, CaseIterable {
  case addMedicine = "add-medicine"
  case logDose = "log-dose"
  case missedDose = "missed-dose"
  case reminders, share, child, supply, report, travel
  case newDevice = "new-device"

  /// The page that the answer links to.
  var address: String {
    switch self {
    case .addMedicine: "\(Address.medicines)/new"
    case .logDose: "/"
    case .missedDose: Address.missedDoses
    case .reminders: Address.devices
    case .share: "\(Address.people)/share"
    case .child: "\(Address.people)/new"
    case .supply: Address.supply
    case .report: Address.report
    case .travel: Address.travel
    case .newDevice: Address.accountSecurity
    }
  }

  /// True if the page changes something for a person, which viewers cannot do.
  var needsRightToAct: Bool {
    switch self {
    case .logDose, .reminders, .child, .newDevice: false
    case .addMedicine, .missedDose, .share, .supply, .report, .travel: true
    }
  }

  /// The address of the question with its answer expanded.
  var helpAddress: String { "\(Address.help)?\(Self.parameter)=\(rawValue)#\(rawValue)" }

  /// The query parameter that names the question to expand.
  static let parameter = "question"

  /// Returns the question.
  func question(_ localizer: Localizer) -> String { text("question", localizer) }

  /// Returns the answer in two or three sentences.
  func answer(_ localizer: Localizer) -> String { text("answer", localizer) }

  /// Returns the label of the link.
  func link(_ localizer: Localizer) -> String { text("link", localizer) }

  private func text(_ key: String, _ localizer: Localizer) -> String {
    localizer.text(MessageKey("help.\(key)"), ["question": .text(rawValue)])
  }
}
