// SPDX-License-Identifier: Apache-2.0

import Accounts
import Encodings
import FHIR
import Identifiers
import Localization
import Plans
import Scheduling
import Storage

/// The content of a delivery in neutral wording: times, and at most a short label of the person.
///
/// It never contains a medicine, an amount or a full name unless the person allows it.
package struct ReminderContent: Sendable {
  /// A dose that the reminder names.
  package struct NamedDose: Sendable, Hashable {
    /// The key of the dose.
    package let key: DoseKey
    /// The time at which the dose is due.
    package let due: Timestamp

    /// Creates a named dose.
    package init(key: DoseKey, due: Timestamp) {
      self.key = key
      self.due = due
    }

    /// The identifier of the dose, as text.
    package var id: String { key.text }
    /// The plan of the dose.
    package var plan: PlanID { key.plan }
  }

  /// The alert of an alarm.
  package struct NamedAlert: Sendable, Hashable {
    /// The identifier of the alert.
    package let id: AlertID
    /// The minutes by which "later" postpones it; nil if that is no longer possible.
    package let later: Int?

    /// Creates a named alert.
    package init(id: AlertID, later: Int?) {
      self.id = id
      self.later = later
    }
  }

  /// The identifier of the delivery.
  package let delivery: DeliveryID
  /// The patient whom the reminder is about.
  package let patient: PatientID
  /// The identifier of the reminder.
  package let subject: ReminderID
  /// The kind of the reminder.
  package let kind: ReminderKind
  /// The language of the text.
  package let language: Language
  /// The patient's time zone, in which due times are stated.
  package let zone: Zone
  /// The earliest due time of the doses.
  package let due: Timestamp
  /// The doses, by due time, then by id.
  package let doses: [NamedDose]
  /// The label of the person, if the recipient acts for several; nil otherwise.
  package let label: String?
  /// True if the prescription of one of the doses ended with a replacement that no one has answered
  /// yet, so that it must be reviewed before anything is taken.
  package let needsReview: Bool
  /// The links for channels without a sign-in.
  package let links: ReminderLinks
  /// True if it informs a family member that no one answered.
  package let isForFamily: Bool
  /// The medicines with their amounts, or the name of an alarm; empty unless the person allows them in
  /// notifications.
  package let medicines: [String]
  /// The alert, for a reminder of an alarm; nil otherwise.
  package let alert: NamedAlert?
  /// The time at which the text is created; times on other days include their date.
  package let now: Timestamp
  /// The text of a caregiver message; nil for other kinds.
  package internal(set) var news: NewsContent?

  /// Creates the content of a delivery without a caregiver message.
  package init(
    delivery: DeliveryID, patient: PatientID, subject: ReminderID, kind: ReminderKind,
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

  /// The tag by which notifications and stored pushes of one reminder replace each other: 32
  /// base64url characters, as RFC 8030 allows for a topic.
  package var tag: String { Self.tag(of: subject) }

  /// Returns the tag of a reminder.
  package static func tag(of subject: ReminderID) -> String {
    let digest = Fingerprint.digest(of: Array("regimen-topic:\(subject)".utf8))
    return Base64URL.encode(Array(digest.prefix(24)))
  }

  /// The title and body of a notification: times, and a label if several people must be told apart.
  package var words: (title: String, body: String) {
    let words = ReminderText(self)
    return (words.title, words.body)
  }

  /// The label of the button that opens the page.
  package var openWords: String { ReminderText(self).open }

  /// Returns the label of the button for an answer.
  package func words(for answer: LinkAnswer) -> String { ReminderText(self).answer(answer) }

  /// The path of the single button of a message, from the root of the server: the page that answers without a
  /// sign-in, if there is one.
  package var actionLinkPath: String {
    if let proof = links.proof { return "/proof/\(proof.text)" }
    return links.answers.first.map { Self.actionLinkPath($0.secret) } ?? path
  }

  /// The path that a tap opens, from the root of the server.
  package var path: String { kind.handler.path(self) }

  /// The path of the ringing page.
  var ringPath: String { "/ring/\(subject)" }
}

/// The texts of a delivery in one language.
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
  /// Returns the button of a notification that answers whether a dose helped.
  func action(_ answer: String) -> JSONValue {
    [
      "action": .string(answer),
      "title": .string(localizer.text("follow-ups.answer", ["answer": .text(answer)])),
    ]
  }

  var noSignIn: String { localizer.text("channels.no-sign-in") }
  var silence: String { localizer.text("channels.silence-mail") }
  var mailWhy: String { handler.why(self) }

  private var handler: any ReminderHandler { content.kind.handler }

  /// The earliest due time.
  var due: String { moment(content.due) }

  /// The distinct due times: all of a few, otherwise the first and the last.
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

  /// Returns the time on the person's clock, with the day unless it is today.
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
