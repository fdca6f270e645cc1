// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Calendar
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import People
import Presentation
import SiteMap
import Storage
import Web

/// The page that adds a person's doses to a calendar, as a feed or as a file.
package struct CalendarPage: Sendable {
  private let feed: CalendarFeed?
  /// The feeds of other accounts with their names; empty unless the viewer acts for the person.
  private let others: [(feed: CalendarFeed, name: String)]
  private let words: DoseFormatter

  static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    _ = try call.authorizeExport("Dose", of: patient)
    let environment = call.environment
    let account = signedIn.account.id
    let seesOthers = (try? call.authorize(.delete, CalendarFeeds.resource, of: patient)) != nil
    let (accounts, now) = (environment.accounts, call.now)
    let (feeds, names, zone) = try await environment.database.read { reader in
      let feeds = try CalendarFeeds.all(
        of: patient, cipher: accounts.cipher, at: now, in: reader)
      return (
        feeds, try accounts.displayNames(of: Set(feeds.map(\.account)), in: reader),
        try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
      )
    }
    let others = seesOthers ? feeds.filter { $0.account != account } : []
    return CalendarPage(
      feed: feeds.first { $0.account == account },
      others: others.map { ($0, names[$0.account] ?? "") },
      words: DoseFormatter(localizer: call.localizer, zone: zone, now: now)
    ).response(call)
  }

  static func change(_ form: PostedForm) async throws -> Response {
    let (call, patient) = (form.call, form.patient)
    _ = try call.authorizeExport("Dose", of: patient)
    let (account, cipher) = (form.signedIn.account.id, call.environment.accounts.cipher)
    let names = form.isChecked("names")
    let action = form.text("do")
    // Anyone with the address can read the doses for good, as with an export.
    if action == "make" { try call.requireProof(.recent, from: Address.calendar) }
    let other = form.text("account") ?? ""
    if action == "end-other" { _ = try form.authorize(.delete, CalendarFeeds.resource) }
    let secret = Secret(prefix: CalendarFeeds.prefix, random: call.environment.random)
    try await form.run { context, writer in
      let now = context.now
      switch action {
      case "make":
        try CalendarFeeds.make(
          secret, of: patient, account: account, namesMedicine: names, cipher: cipher, at: now,
          in: writer)
      case "end":
        try CalendarFeeds.revoke(
          of: patient, account: account, by: account, at: now, in: writer)
      case "end-other":
        try CalendarFeeds.revoke(
          of: patient, account: AccountID(other), by: account, at: now, in: writer)
      case "change":
        try CalendarFeeds.change(
          namesMedicine: names, of: patient, account: account, at: now, in: writer)
      default:
        throw Failure.badRequest("value", "do must be make, change, end or end-other.")
      }
    }
    let done = action == "end" || action == "end-other" ? "ended" : "saved"
    return form.redirect(to: "\(Address.calendar)?done=\(done)")
  }

  private func response(_ call: Call) -> Response {
    let localizer = words.localizer
    var frame = call.frame()
    frame.title = localizer.text("calendar.feed.title")
    frame.lead = localizer.text("calendar.feed.lead")
    frame.place = .me
    frame.back = SettingsPage.connections.back(localizer)
    if let done = call.queryValue("done"), ["saved", "ended"].contains(done) {
      frame.flash = FlashBar(localizer.text("calendar.feed.done", ["done": .text(done)]))
    }
    return call.page(
      frame,
      """
      <div class="narrow stack-large">\
      \(Notice(.information, title: localizer.text("calendar.feed.backup")))\
      \(Section(localizer.text("calendar.feed.subscribe"), id: "subscribe", subscription(call)))\
      \(if: !others.isEmpty, Section(
        localizer.text("calendar.feed.others"), id: "others", ofOthers(call)).markup)\
      \(Section(localizer.text("calendar.feed.download"), id: "download", files(localizer)))</div>
      """)
  }

  /// Returns the feeds created by others, each with a button to end it.
  private func ofOthers(_ call: Call) -> Markup {
    let localizer = words.localizer
    let cards: [Markup] = others.map { other in
      """
      <div class="card"><h3 class="card-title">\(other.name)</h3>\
      <p>\(localizer.text("calendar.feed.made", ["time": .text(words.moment(other.feed.created))]))</p>\
      <p class="muted">\(fetched(other.feed))</p>\(FormButton(
        localizer.text("calendar.feed.end"), action: Address.calendar, token: call.formToken,
        fields: [("do", "end-other"), ("account", other.feed.account.text)], kind: .secondary,
        object: other.name))</div>
      """
    }
    return
      "<div class=\"stack\"><p>\(localizer.text("calendar.feed.others-help"))</p>\(cards)</div>"
  }

  private func fetched(_ feed: CalendarFeed) -> String {
    let localizer = words.localizer
    return feed.fetched.map {
      localizer.text("calendar.feed.fetched", ["time": .text(words.moment($0))])
    }
      ?? localizer.text("calendar.feed.not-fetched")
  }

  private func subscription(_ call: Call) -> Markup {
    let localizer = words.localizer
    let token = call.formToken
    let names = FormField(
      "names", label: localizer.text("calendar.feed.say"),
      kind: .checkboxes([
        FieldChoice(
          "yes", localizer.text("calendar.feed.names"),
          hint: localizer.text("calendar.feed.names-hint"))
      ]), values: feed?.namesMedicine == true ? ["yes"] : [], isRequired: false,
      localizer: localizer
    ).markup
    guard let feed else {
      return """
        <p>\(localizer.text("calendar.feed.subscribe-help"))</p>\
        \(Form(
          action: Address.calendar, token: token, fields: names,
          buttons: Button(
            localizer.text("calendar.feed.make"), name: "do", value: "make", person: token.personName
          ).markup))
        """
    }
    let address = call.baseURL + CalendarRoutes.address(feed.secret)
    return """
      <p>\(localizer.text("calendar.feed.copy"))</p>\
      <p><code class="heart-secret">\(address)</code></p>\
      <p class="muted">\(fetched(feed))</p>\
      <p>\(localizer.text("calendar.feed.secret"))</p>\
      \(Form(
        action: Address.calendar, token: token, fields: names,
        buttons: """
          \(Button(
            localizer.text("escalation.save"), name: "do", value: "change",
            person: token.personName))\
          \(Button(
            localizer.text("calendar.feed.renew"), kind: .secondary, name: "do", value: "make",
            person: token.personName))\
          \(Button(
            localizer.text("calendar.feed.end"), kind: .quiet, name: "do", value: "end",
            person: token.personName))
          """))
      """
  }

  private func files(_ localizer: Localizer) -> Markup {
    let address = CalendarRoutes.filePath
    return """
      <p>\(localizer.text("calendar.feed.download-help"))</p>\
      \(ButtonRow("""
        \(LinkButton(localizer.text("calendar.feed.as-events"), address: address, icon: .calendar))\
        \(LinkButton(
          localizer.text("calendar.feed.as-tasks"), address: "\(address)?as=tasks", icon: .list))
        """))
      """
  }
}
