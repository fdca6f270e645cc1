// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Channels
import FHIR
import HTML
import Hummingbird
import Identifiers
import Localization
import People
import Presentation
import Reminders
import SiteMap
import Storage
import Web

/// The page of devices and reminder channels, and the clock against which a device checks its own.
package enum DeviceRoutes {
  /// The routes of the devices.
  package static let all: [Route] = [
    .page(.get, "/device", page),
    .page(.get, Address.reminderSetup, ReminderSetupPage.show),
    .page(.get, "/device/clock", clock),
    .accountForm("/device/mail", MailboxPart.change),
    .accountForm("/device/:subscription/test", test),
    .accountForm("/device/:subscription/confirm", confirm),
    .accountForm("/device/:subscription/remove", remove),
  ]

  private static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let environment = call.environment
    let account = signedIn.account
    let patients = signedIn.actor.rights.keys.sorted()
    let (subscriptions, zone, silenced, addresses, proofs) = try await environment.database.read {
      reader in
      (
        try PushSubscriptions.list(account.id, now: call.now, in: reader),
        try PeopleQueries.zone(account.patient, zones: environment.zones, in: reader),
        try Mailboxes.silenced(account.id, in: reader),
        try ChannelAddresses.logged(account.id, in: reader),
        try DeviceProof.of(account.id, patients: patients, now: call.now, in: reader)
      )
    }
    let words = DoseFormatter(localizer: call.localizer, zone: zone, now: call.now)
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("device.title")
    frame.lead = localizer.text("device.lead")
    frame.place = .me
    frame.back = SettingsPage.reminders.back(localizer)
    frame.flash = call.queryValue("done").flatMap(DeviceNote.init(rawValue:))
      .map { FlashBar($0.text(localizer)) }
    let view = DeviceView(
      devices: subscriptions.map { DeviceView.Device($0, proof: proofs[$0.id], words: words) },
      isAskedForTest: call.queryValue("delivery") != nil, localizer: localizer,
      token: call.accountToken, isPlain: frame.isPlain)
    let channels = ChannelsPart(
      addresses: addresses, offered: ChannelPage.offered(environment.channels),
      chat: environment.channels.chats?.bot.kind.name, words: words,
      token: call.accountToken)
    let mailbox = MailboxPart(
      email: account.email, isSilent: silenced != nil,
      mailIsPossible: environment.channels.mailIsPossible, localizer: localizer,
      token: call.accountToken)
    return call.page(
      frame,
      """
      <div class="stack-large">\(view)\(channels)\(if: !account.isByPhone, mailbox.markup)\
      \(HomeAssistantPage.offer(call))</div>
      """)
  }

  /// Returns the server's time in milliseconds since 1970 UTC, the signed-in account and the start
  /// of its session; the service worker asks for it before it sends its entries.
  private static func clock(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    var object: JSONValue = [
      "now": .number(JSONNumber(call.environment.now().milliseconds)),
      "account": .string(signedIn.account.id.text),
    ]
    object["since"] = signedIn.session.map { .number(JSONNumber($0.created.milliseconds)) }
    return JSONResponse.make(object)
  }

  private static func test(_ form: PostedForm) async throws -> Response {
    let (id, account) = (try form.parameter("subscription"), form.signedIn.account)
    let environment = form.call.environment
    let context = environment.reminderContext(at: form.call.now)
    try await form.run { _, writer in
      do throws(ReminderError) {
        _ = try ReminderCommands.test(
          id, account: account.id, patient: account.patient, context, in: writer)
      } catch .notFound {
        throw Failure.notFound
      }
    }
    environment.live.reminders.ring()
    return form.redirect(to: DeviceNote.tested.address(of: form))
  }

  private static func confirm(_ form: PostedForm) async throws -> Response {
    let (id, account, now) = (try device(form), form.signedIn.account.id, form.call.now)
    try await form.run { _, writer in
      guard try PushSubscriptions.confirm(id, account: account, at: now, in: writer) else {
        throw Failure.notFound
      }
    }
    return form.redirect(to: DeviceNote.confirmed.address(of: form))
  }

  private static func remove(_ form: PostedForm) async throws -> Response {
    let (id, account, now) = (try device(form), form.signedIn.account.id, form.call.now)
    try await form.run { _, writer in
      guard try PushSubscriptions.remove(id, account: account, at: now, in: writer) else {
        throw Failure.notFound
      }
    }
    return form.redirect(to: DeviceNote.removed.address)
  }

  private static func device(_ form: PostedForm) throws -> DeviceID {
    DeviceID(try form.parameter("subscription"))
  }
}

/// A page that shows a device's buttons and to which they return.
enum DeviceReturn: String, Sendable {
  case setup

  /// The hidden field that names the page.
  static let field = "from"
}

/// The last action on the page.
enum DeviceNote: String, Sendable {
  case tested, confirmed, removed, coded, proven
  case wrongCode = "wrong-code"
  case codeOver = "code-over"
  case tooManyTests = "too-many-tests"
  case mailOff = "mail-off"
  case mailOn = "mail-on"

  var address: String { "/device?done=\(rawValue)" }

  /// Returns the page that a form came from, with this note.
  func address(of form: PostedForm) -> String {
    switch form.text(DeviceReturn.field).flatMap(DeviceReturn.init(rawValue:)) {
    case .setup: "\(Address.reminderSetup)?done=\(rawValue)"
    case nil: address
    }
  }

  func text(_ localizer: Localizer) -> String {
    switch self {
    case .tooManyTests:
      localizer.text(
        "gateways.too-many-tests", ["maximum": .number(ChannelAddresses.mostPhoneTests)])
    case .coded, .proven, .wrongCode, .codeOver:
      localizer.text("gateways.done", ["done": .text(rawValue)])
    case .tested, .confirmed, .removed, .mailOff, .mailOn:
      localizer.text("device.done", ["done": .text(rawValue)])
    }
  }
}

extension DeviceView.Device {
  /// Describes a device: when it was set up, and when it last proved that it receives reminders.
  init(_ subscription: PushSubscription, proof: DeviceProof?, words: DoseFormatter) {
    let localizer = words.localizer
    var notes = [
      localizer.text("device.note.added", ["time": .text(words.moment(subscription.created))])
    ]
    if let confirmed = subscription.confirmed {
      notes.append(
        localizer.text("device.note.confirmed", ["time": .text(words.moment(confirmed))]))
    } else {
      notes.append(localizer.text("device.note.unconfirmed"))
    }
    if let shown = subscription.lastShown {
      notes.append(localizer.text("device.note.shown", ["time": .text(words.moment(shown))]))
    }
    if let proof {
      if let answered = proof.lastAnswered {
        notes.append(
          localizer.text("health.answered", ["time": .text(words.moment(answered))]))
      }
      notes.append(
        localizer.text(
          "health.week",
          [
            "sent": .number(Int(clamping: proof.handedOver)),
            "shown": .number(Int(clamping: proof.shown)),
            "answered": .number(Int(clamping: proof.answered)),
          ]))
    }
    var trouble: String?
    if subscription.isBroken, let since = subscription.silentSince {
      trouble = localizer.text("health.silent", ["time": .text(words.moment(since))])
    }
    self.init(
      id: subscription.id.text, name: subscription.label ?? subscription.maskedAddress,
      notes: notes,
      trouble: trouble,
      isConfirmed: subscription.confirmed != nil)
  }
}
