// SPDX-License-Identifier: Apache-2.0

import Accounts
import Encodings
import FHIR
import Identifiers
import Localization
import Plans
import Scheduling
import Storage

/// What a delivery says, in neutral words: times, and at most a short label of the person; never a
/// medicine, an amount or a full name.
package struct ReminderContent: Sendable {
  package struct NamedDose: Sendable, Hashable {
    package let key: DoseKey
    package let due: Timestamp

    package init(key: DoseKey, due: Timestamp) {
      self.key = key
      self.due = due
    }

    package var id: String { key.text }
    package var plan: PlanID { key.plan }
  }

  /// The time of an alarm.
  package struct NamedAlert: Sendable, Hashable {
    package let id: String
    /// By how many minutes "later" puts it off; nil where that fits no more.
    package let later: Int?

    package init(id: String, later: Int?) {
      self.id = id
      self.later = later
    }
  }

  package let delivery: DeliveryID
  package let patient: PatientID
  package let subject: String
  package let kind: ReminderKind
  package let language: Language
  /// The patient's, in which due times are told.
  package let zone: Zone
  /// The earliest due time of the doses.
  package let due: Timestamp
  /// By due time, then by id.
  package let doses: [NamedDose]
  /// Tells persons apart where the recipient acts for several.
  package let label: String?
  /// Whether a prescription of one of the doses ended with a replacement that nobody has answered yet:
  /// to be looked at before anything is taken.
  package let needsReview: Bool
  /// What a channel without a sign-in offers.
  package let links: ReminderLinks
  /// Whether it tells somebody of the family that nobody answered.
  package let isForFamily: Bool
  /// What is to be taken, or the name of an alarm, in words; empty unless the person wants it said.
  package let medicines: [String]
  /// What rings where that is an alarm.
  package let alert: NamedAlert?
  package let now: Timestamp
  /// What a message to somebody else says beyond neutral words.
  package internal(set) var news: NewsContent?

  package init(
    delivery: DeliveryID, patient: PatientID, subject: String, kind: ReminderKind,
    language: Language,
    zone: Zone, due: Timestamp, doses: [NamedDose], label: String?, needsReview: Bool = false,
    links: ReminderLinks = ReminderLinks(), isForFamily: Bool = false, medicines: [String] = [],
    alert: NamedAlert? = nil, now: Timestamp
  ) {
    self.delivery = delivery
    self.patient = patient
    self.subject = subject
    self.kind = kind
    self.language = language
    self.zone = zone
    self.due = due
    self.doses = doses
    self.label = label
    self.needsReview = needsReview
    self.links = links
    self.isForFamily = isForFamily
    self.medicines = medicines
    self.alert = alert
    self.now = now
  }

  /// Notifications and stored pushes of one subject replace each other: 32 base64url characters,
  /// as RFC 8030 allows for a topic.
  package var tag: String { Self.tag(of: subject) }

  package static func tag(of subject: String) -> String {
    let digest = Fingerprint.digest(of: Array("regimen-topic:\(subject)".utf8))
    return Base64URL.encode(Array(digest.prefix(24)))
  }

  /// What a notification says: times, and a label where persons must be told apart.
  package var words: (title: String, body: String) {
    let words = ReminderText(self)
    return (words.title, words.body)
  }

  /// The word on a button that leads to the page.
  package var openWords: String { ReminderText(self).open }

  /// The word on a button that gives an answer.
  package func words(for answer: LinkAnswer) -> String { ReminderText(self).answer(answer) }

  /// Where the one button of a message leads, from the root of the server: to the page that answers without
  /// a sign-in where there is one.
  package var actionLinkPath: String {
    if let proof = links.proof { return "/proof/\(proof.text)" }
    return links.answers.first.map { Self.actionLinkPath($0.secret) } ?? path
  }

  /// The path that a tap leads to, from the root of the server.
  package var path: String { kind.handler.path(self) }

  /// The path of the page that rings.
  var ringPath: String { "/ring/\(subject)" }
}

/// The words of a delivery in one language.
struct ReminderText: Sendable {
  let content: ReminderContent
  let localizer: Localizer

  init(_ content: ReminderContent) {
    self.content = content
    localizer = .of(content.language)
  }

  var title: String {
    let title = handler.title(self)
    guard let label = handler.label(content) else { return title }
    return localizer.text(
      "reminders.labelled", ["label": .text(label), "title": .text(title)])
  }

  var body: String { handler.body(self) }

  var open: String { handler.open(self) }

  func answer(_ answer: LinkAnswer) -> String {
    switch answer {
    case .dose(let action):
      localizer.text(
        "channels.answer",
        ["action": .text(action.rawValue), "minutes": .number(ActionLinks.laterMinutes)])
    case .alert(.later, let minutes?):
      localizer.text(
        "alarms.answer.later",
        ["minutes": .number(minutes), "hours": .number(AlertAnswer.wholeHours(minutes))])
    case .alert(.declined, _): localizer.text("alarms.answer.declined")
    case .alert: localizer.text("alarms.answer.done")
    }
  }
  var noSignIn: String { localizer.text("channels.no-sign-in") }
  var silence: String { localizer.text("channels.silence-mail") }
  var mailWhy: String { handler.why(self) }

  private var handler: any ReminderHandler { content.kind.handler }

  /// The earliest due time.
  var due: String { moment(content.due) }

  /// The due times once each: a few in a row, many as the first and the last.
  var times: String {
    var moments: [String] = []
    for dose in content.doses {
      let text = moment(dose.due)
      if moments.last != text { moments.append(text) }
    }
    guard let first = moments.first, let last = moments.last else {
      return moment(content.due)
    }
    return moments.count <= 4
      ? localizer.list(moments)
      : localizer.text("reminders.range", ["first": .text(first), "last": .text(last)])
  }

  /// The time on the person's clock; with the day where that is not today's.
  private func moment(_ instant: Timestamp) -> String {
    let local = content.zone.local(at: Instant(instant))
    let seconds = local.time.secondsOfDay
    let time = localizer.time(hour: seconds / 3_600, minute: seconds / 60 % 60)
    let date = local.date
    guard date != content.zone.date(at: Instant(content.now)) else { return time }
    let day = LocalDay(
      year: date.year, month: date.month, day: date.day, isoWeekday: date.weekday.rawValue)
    return localizer.text(
      "reminders.time-on-day",
      ["time": .text(time), "day": .text(localizer.date(day, .short))])
  }
}
