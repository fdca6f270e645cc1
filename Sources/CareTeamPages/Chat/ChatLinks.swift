// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import CareTeam
import Dosing
import HeartRate
import HTML
import Identifiers
import Localization
import Plans
import Presentation
import Reminders
import Scheduling
import Storage
import TimeZones
import Web

/// The target of a message's link, as its reader may see it.
struct ShownChatLink: Sendable {
  let text: String
  /// The address; nil if the target is not shared with the reader or no longer exists.
  var address: String?
  var chip: Markup = Markup()
}

/// The doses and heart rate questions that messages link to.
struct ChatLinks {
  let patient: PatientID
  let actor: Actor
  let words: DoseFormatter
  let now: Timestamp
  let zones: ZoneCatalog

  private var localizer: Localizer { words.localizer }

  private func may(_ resource: String) -> Bool {
    let decision = decide(
      actor: actor, action: .read, patient: patient, resource: resource,
      purpose: actor.purpose(with: patient))
    if case .allow = decision { return true }
    return false
  }

  /// Returns the targets of a page's messages, by id.
  func shown(
    _ messages: [ChatMessage], in reader: any SQLReader
  ) throws -> [String: ShownChatLink] {
    var found: [String: ShownChatLink] = [:]
    for message in messages {
      if let link = message.link { found[message.id.text] = try shown(link, in: reader) }
    }
    return found
  }

  /// Returns a target; one that is not shared reveals only that it exists.
  func shown(_ link: ChatLink, in reader: any SQLReader) throws -> ShownChatLink {
    let hidden = ShownChatLink(text: localizer.text("chat.link.hidden"))
    guard may(link.resource) else { return hidden }
    switch link {
    case .dose(let id):
      let dose = try DoseQueries.dose(id, patient: patient, now: now, in: reader)
      guard let dose else { return hidden }
      return ShownChatLink(
        text: text(dose), address: "/doses/\(dose.id.text)", chip: words.chip(dose).markup)
    case .warning(let id):
      guard let warning = try HeartRateQueries.warning(id, in: reader), warning.patient == patient
      else { return hidden }
      return ShownChatLink(
        text: text(warning), address: ReminderKind.warning.page(of: ReminderID(warning.id.text)))
    }
  }

  /// Returns the possible targets: the latest doses and questions, newest first.
  func choices(in reader: any SQLReader) throws -> [FieldChoice] {
    var choices: [FieldChoice] = []
    if may("Dose") {
      let listing = try DoseQueries.listing(
        patient: patient, from: now.adding(milliseconds: -Self.reach),
        until: now.adding(milliseconds: Self.ahead), now: now, zones: zones, in: reader)
      choices += listing.doses.suffix(Self.mostDoses).reversed().map {
        FieldChoice(ChatLink.dose($0.id).text, text($0))
      }
    }
    if may("Observation") {
      let from = words.today.adding(days: -Self.daysOfWarnings)
      choices += try HeartRateQueries.warnings(
        of: patient, from: from, limit: Self.mostWarnings, in: reader
      ).map { FieldChoice(ChatLink.warning($0.id).text, text($0)) }
    }
    return choices
  }

  private static let reach: Int64 = 3 * 24 * 3_600_000
  private static let ahead: Int64 = 12 * 3_600_000
  private static let mostDoses = 20
  private static let mostWarnings = 5
  private static let daysOfWarnings = 14

  private func text(_ dose: Dose) -> String {
    localizer.text(
      "chat.link.dose",
      ["name": .text(dose.medicineName), "when": .text(words.moment(dose.due))])
  }

  private func text(_ warning: Warning) -> String {
    localizer.text("chat.link.warning", ["day": .text(words.date(warning.day, .medium))])
  }
}
