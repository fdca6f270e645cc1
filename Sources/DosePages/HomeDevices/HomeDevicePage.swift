// SPDX-License-Identifier: Apache-2.0

import HTML
import HTTPTypes
import HomeDevices
import Hummingbird
import Identifiers
import Localization
import People
import Plans
import Presentation
import Scheduling
import SiteMap
import Storage
import Web

/// One device: its state, the meaning of its events, and what became of them.
struct HomeDevicePage: Sendable {
  /// The events that the page shows.
  private static let shown = 50

  let device: HomeDevice
  let compartments: [HomeDeviceCompartment]
  let events: [JudgedEvent]
  /// The doses that the device answered, as they are now.
  let doses: [DoseID: Dose]
  let medicines: [(plan: PlanID, name: String)]
  let zone: Zone
  var typed: HomeDeviceInput?
  var error: HomeDeviceError?

  static func read(_ call: Call, patient: PatientID) async throws -> HomeDevicePage {
    let id = HomeDeviceID(try call.parameter("device"))
    let (zones, now) = (call.environment.zones, call.now)
    let medicines = try await HomeDeviceForm.medicines(call, patient: patient)
    return try await call.environment.database.read { reader in
      guard let device = try HomeDeviceQueries.device(id, patient: patient, in: reader) else {
        throw Failure.notFound
      }
      let events = try HomeDeviceQueries.events(
        of: id, patient: patient, limit: shown, in: reader)
      var doses: [DoseID: Dose] = [:]
      for dose in Set(events.filter { $0.outcome == .logged }.flatMap(\.doses)) {
        doses[dose] = try DoseStore.one(dose, patient: patient, now: now, in: reader)
      }
      return HomeDevicePage(
        device: device,
        compartments: try HomeDeviceQueries.compartments(of: id, patient: patient, in: reader),
        events: events, doses: doses, medicines: medicines,
        zone: try PeopleQueries.zone(patient, zones: zones, in: reader))
    }
  }

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    let words = DoseFormatter(localizer: localizer, zone: zone, now: call.now)
    var frame = call.frame()
    frame.title = device.name
    frame.lead = HomeDeviceText(localizer).kind(device.kind)
    frame.place = .me
    frame.back = .init(localizer.text("home-devices.title"), address: Address.homeDevices)
    frame.hasErrors = error != nil
    switch call.queryValue("done") {
    case "saved": frame.flash = FlashBar(localizer.text("home-devices.saved"))
    case "revoked": frame.flash = FlashBar(localizer.text("home-devices.revoked"))
    default: break
    }
    let fields = HomeDeviceFields(
      input: typed ?? HomeDeviceInput(device, compartments), medicines: medicines, error: error,
      localizer: localizer)
    return call.page(
      frame,
      """
      <div class="narrow stack-large">\(ErrorSummary(fields.errors, localizer: localizer))\
      \(state(words))\(list(words, call))\(settings(fields, call))\(token(call))</div>
      """, status: error == nil ? .ok : .unprocessableContent)
  }

  private func state(_ words: DoseFormatter) -> Markup {
    let localizer = words.localizer
    let facts = HomeDeviceFacts(words: words)
    let line = [facts.seen(device), facts.battery(device)].compactMap(\.self)
      .joined(separator: " · ")
    let battery = Notice(.warning, title: localizer.text("home-devices.battery-low"))
    let silent = Notice(.warning, title: localizer.text("home-devices.silent"))
    return """
      <p>\(line)</p>\(if: device.isBatteryLow, battery.markup)\
      \(if: device.isSilent(at: words.now), silent.markup)
      """
  }

  // MARK: Events

  private func list(_ words: DoseFormatter, _ call: Call) -> Markup {
    let localizer = words.localizer
    let content: Markup =
      events.isEmpty
      ? "<p class=\"muted\">\(localizer.text("home-devices.no-events"))</p>"
      : "<ul class=\"alarms\" role=\"list\">\(each: events, { row($0, words, call) })</ul>"
    return Section(localizer.text("home-devices.events"), id: "events", content).markup
  }

  private func row(_ event: JudgedEvent, _ words: DoseFormatter, _ call: Call) -> Markup {
    let text = HomeDeviceText(words.localizer)
    let place = event.event.compartment.isEmpty ? "" : " · \(event.event.compartment)"
    return """
      <li class="card alarm"><div class="alarm-text">\
      <p><strong>\(text.event(event.event.kind))</strong>\(place)</p>\
      <p class="muted"><time datetime="\(words.machine(event.judged))">\(words.moment(event.judged))</time></p>\
      <p>\(text.outcome(event))</p>\(each: undoable(event), { undo($0, call) })</div></li>
      """
  }

  /// Returns the doses whose answer is still the device's own.
  private func undoable(_ event: JudgedEvent) -> [Dose] {
    guard event.outcome == .logged else { return [] }
    return event.doses.compactMap { doses[$0] }.filter { dose in
      dose.state == .taken && dose.answer?.at == event.judged
    }
  }

  private func undo(_ dose: Dose, _ call: Call) -> Markup {
    ButtonRow(
      FormButton(
        call.localizer.text("dose.undo"), action: "/doses/\(dose.id.text)/answers",
        token: call.formToken,
        fields: [
          ("action", "undo"), ("event", call.environment.newIdentifier()),
          ("corrects", String(dose.version)), ("return", "\(Address.homeDevices)/\(device.id)"),
        ], kind: .secondary, icon: .undo, object: dose.medicineName
      ).markup
    ).markup
  }

  // MARK: Settings

  private func settings(_ fields: HomeDeviceFields, _ call: Call) -> Markup {
    guard call.formToken.mayAct else { return Markup() }
    let localizer = call.localizer
    return Section(
      localizer.text("home-devices.settings"), id: "settings",
      """
      <p class="muted">\(localizer.text("home-devices.rules"))</p>\
      \(Form(
        action: "\(Address.homeDevices)/\(device.id)", token: call.formToken,
        fields: "\(fields.name)\(fields.whole)\(fields.compartments)",
        buttons: Button(
          localizer.text("home-devices.save"), icon: .check, person: call.formToken.personName
        ).markup))
      """
    ).markup
  }

  private func token(_ call: Call) -> Markup {
    guard call.formToken.mayAct else { return Markup() }
    let localizer = call.localizer
    let path = "\(Address.homeDevices)/\(device.id)"
    let renew = FormButton(
      localizer.text("home-devices.token.renew"), action: "\(path)/token", token: call.formToken,
      kind: .secondary, icon: .lock, object: device.name)
    let revoke = FormButton(
      localizer.text("home-devices.revoke"), action: "\(path)/revoke", token: call.formToken,
      kind: .secondary, icon: .stop, object: device.name)
    let remove = FormButton(
      localizer.text("home-devices.remove"), action: "\(path)/remove", token: call.formToken,
      kind: .danger, icon: .crossInCircle, object: device.name)
    return Section(
      localizer.text("home-devices.token.title"), id: "token",
      """
      <p class="muted">\(localizer.text("home-devices.token.help"))</p>\
      \(ButtonRow("\(renew)\(if: device.revoked == nil, revoke.markup)\(remove)"))
      """
    ).markup
  }
}
