// SPDX-License-Identifier: Apache-2.0

import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Plans
import Presentation
import Scheduling
import SiteMap
import Storage
import TimeZones
import Web

/// The page that asks for each medicine how it adapts to another time zone.
struct TravelPage: Sendable {
  let reading: TravelRoutes.Reading
  let zones: ZoneCatalog
  let now: Timestamp
  /// The submitted zone, unchecked.
  let zone: String
  /// The choices so far, by plan.
  var chosen: [PlanID: ZonePolicy] = [:]
  var trial: DetailsTrial?
  /// True if the submitted zone does not exist.
  var isUnknown = false

  /// True for every zone that the system knows, since browsers use names that are in no list.
  var isZoneKnown: Bool { !zone.isEmpty && (try? zones.zone(zone)) != nil }

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("travel.title")
    frame.lead = localizer.text(
      "travel.lead", ["place": .text(ZonePlace.name(reading.home.identifier))])
    frame.place = .me
    frame.back = SettingsPage.routine.back(localizer)
    frame.hasErrors = isUnknown
    let status: HTTPResponse.Status = isUnknown ? .unprocessableContent : .ok
    return call.page(frame, content(call), status: status)
  }

  private func content(_ call: Call) -> Markup {
    let localizer = call.localizer
    let error = isUnknown ? localizer.text("travel.unknown") : nil
    let summary = error.map { [FieldError(field: "zone", message: $0)] } ?? []
    let identifiers = call.environment.zones.identifiers
    let choices =
      [FieldChoice("", localizer.text("travel.choose"))]
      + ZoneChoices.make(identifiers, including: isZoneKnown ? zone : "")
    return """
      <div class="narrow stack">\(ErrorSummary(summary, localizer: localizer))\
      \(trial.map { DetailsTrialCard(trial: $0, localizer: localizer) })\
      \(Form(
        action: Address.travel, token: call.formToken,
        fields: """
          \(trial?.seen)\(FormField(
            "zone", label: localizer.text("travel.zone"), kind: .select(choices),
            value: isZoneKnown ? zone : "", error: error, localizer: localizer))\
          \(each: reading.plans, { plan in question(plan, localizer) })
          """,
        buttons: """
          \(Button(
            localizer.text("travel.preview"), kind: .secondary, icon: .calendar, name: "preview",
            value: "yes", person: call.formToken.personName))\
          \(Button(
            localizer.text("travel.save"), icon: .check, person: call.formToken.personName))
          """))</div>
      """
  }

  private func question(_ plan: Plan, _ localizer: Localizer) -> Markup {
    guard plan.kind == .calendar else {
      let kept = MedicineFormatter(localizer: localizer).travel(plan) ?? ""
      return "<p><strong>\(plan.medicineName)</strong><br>\(kept)</p>"
    }
    let home = reading.places[plan.id] ?? plan.zone
    let place = MessageArgument.text(ZonePlace.name(home))
    let isAway = FixedOffset.isFixed(plan.zone)
    let choices = [
      FieldChoice(
        ZonePolicy.follow.rawValue, localizer.text(isAway ? "travel.back" : "travel.follow")),
      FieldChoice(
        ZonePolicy.home.rawValue, localizer.text("travel.stay", ["place": place]),
        hint: localizer.text("travel.stay-hint", ["place": place])),
      FieldChoice(
        ZonePolicy.elapsed.rawValue, localizer.text("travel.elapsed"),
        hint: elapsedHint(plan, place, localizer)),
    ]
    // Back home, the times no longer differ.
    let policy = chosen[plan.id] ?? (isAway && zone == home ? .follow : plan.policy)
    return FormField(
      "policy-\(plan.id)", label: plan.medicineName, kind: .radios(choices),
      value: policy.rawValue, localizer: localizer
    ).markup
  }

  /// Returns the hint, with the times on the local clock if they are known.
  private func elapsedHint(
    _ plan: Plan, _ place: MessageArgument, _ localizer: Localizer
  ) -> String {
    let usual = localizer.text("travel.elapsed-hint", ["place": place])
    guard let there = try? zones.zone(zone), let own = try? zones.zone(ofEra: plan.zone) else {
      return usual
    }
    let times = TravelTimes(
      plan, offset: own.offsetSeconds(at: Instant(milliseconds: now.milliseconds)), in: there,
      at: now
    ).text(localizer)
    guard let times else { return usual }
    return localizer.text(
      "travel.elapsed-there",
      ["times": .text(times), "there": .text(ZonePlace.name(zone)), "place": place])
  }
}
