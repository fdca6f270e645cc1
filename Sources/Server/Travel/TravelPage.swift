// SPDX-License-Identifier: Apache-2.0

import Adherence
import HTML
import HTTPTypes
import Hummingbird
import Localization
import Scheduling
import Storage
import TimeZones

/// The page that asks, medicine by medicine, what happens in another time zone.
struct TravelPage: Sendable {
  let reading: TravelRoutes.Reading
  /// The zone that was named, as it was sent.
  let zone: String
  /// What was chosen so far, by plan.
  var chosen: [String: ZonePolicy] = [:]
  var trial: DetailsTrial?
  /// The zone is none, or the one that holds already.
  var isUnknown = false

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("travel.title")
    frame.lead = localizer.text(
      "travel.lead", ["place": .text(ZonePlace.name(reading.home.identifier))])
    frame.place = .medicines
    frame.back = .init(localizer.text("medicines.back-to-list"), address: "/medicines")
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
      + ZoneChoices.make(identifiers, including: "")
    return """
      <div class="narrow stack">\(ErrorSummary(summary, localizer: localizer))\
      \(trial.map { DetailsTrialCard(trial: $0, localizer: localizer) })\
      \(Form(
        action: TravelRoutes.path, token: call.formToken,
        fields: """
          \(FormField(
            "zone", label: localizer.text("travel.zone"), kind: .select(choices),
            value: identifiers.contains(zone) ? zone : "", error: error, localizer: localizer))\
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
      let kept = MedicineWords(localizer: localizer).travel(plan) ?? ""
      return "<p><strong>\(plan.medicineName)</strong><br>\(kept)</p>"
    }
    let place = ZonePlace.name(plan.zone)
    let choices = [
      FieldChoice(ZonePolicy.follow.rawValue, localizer.text("travel.follow")),
      FieldChoice(
        ZonePolicy.home.rawValue, localizer.text("travel.stay", ["place": .text(place)]),
        hint: localizer.text("travel.stay-hint")),
    ]
    let policy = chosen[plan.id] ?? (plan.policy == .follow ? .follow : .home)
    return FormField(
      "policy-\(plan.id)", label: plan.medicineName, kind: .radios(choices),
      value: policy.rawValue, localizer: localizer
    ).markup
  }
}

/// The line on Today that a script shows where the device's clock is of another zone.
struct TravelNotice: PagePart {
  let home: String
  let localizer: Localizer

  var markup: Markup {
    """
    <div data-home-zone="\(home)" hidden>\(Notice(
      .information, title: localizer.text("travel.elsewhere"),
      LinkButton(
        localizer.text("travel.open"), address: TravelRoutes.path, icon: .clock
      ).markup))</div>
    """
  }
}
