// SPDX-License-Identifier: Apache-2.0

import Calendar
import Localization
import Scheduling
import Storage

/// The doses of the coming weeks in iCalendar format (RFC 5545): appointments or tasks.
struct ICalendar: Sendable {
  enum Kind: String, Sendable, Hashable {
    case events, tasks
  }

  let events: [CalendarEvent]
  let zone: Zone
  let kind: Kind
  /// Distinguishes people if the account sees several.
  let label: String?
  let namesMedicine: Bool
  /// The address of Today.
  let address: String
  let localizer: Localizer

  /// The document; its bytes are the same while its content is.
  var bytes: [UInt8] {
    var text = ICalendarText()
    text.line("BEGIN", "VCALENDAR")
    text.line("VERSION", "2.0")
    text.line("PRODID", "-//Regimen//Regimen//EN")
    text.line("CALSCALE", "GREGORIAN")
    text.line("METHOD", "PUBLISH")
    text.text("NAME", name)
    text.text("X-WR-CALNAME", name)
    // The suggested refresh interval; many calendars refresh far less often.
    text.line("REFRESH-INTERVAL;VALUE=DURATION", "PT1H")
    text.line("X-PUBLISHED-TTL", "PT1H")
    if !isUniversal { ICalendarZone(zone: zone, events: events).write(to: &text) }
    for event in events { write(event, to: &text) }
    text.line("END", "VCALENDAR")
    return text.bytes
  }

  private var isUniversal: Bool { zone.identifier == "UTC" }

  private var name: String {
    let name = localizer.text("calendar.feed.name")
    return label.map {
      localizer.text("reminders.labelled", ["label": .text($0), "title": .text(name)])
    } ?? name
  }

  private func write(_ event: CalendarEvent, to text: inout ICalendarText) {
    let component = kind == .events ? "VEVENT" : "VTODO"
    let summary = title(event)
    text.line("BEGIN", component)
    text.line("UID", "\(event.id)\(kind == .events ? "" : "-task")@regimen.invalid")
    // The time of the last revision rather than the request, so that unchanged content has the same
    // bytes.
    let revised = ICalendarText.universal(Instant(milliseconds: event.changed.milliseconds))
    text.line("DTSTAMP", revised)
    text.line("LAST-MODIFIED", revised)
    text.line("SEQUENCE", String(event.sequence))
    switch kind {
    case .events:
      write("DTSTART", event.at, to: &text)
      text.line("DURATION", "PT15M")
      text.line("TRANSP", "TRANSPARENT")
      text.line("STATUS", "CONFIRMED")
    case .tasks:
      write("DUE", event.at, to: &text)
      text.line("STATUS", "NEEDS-ACTION")
    }
    text.text("SUMMARY", summary)
    if namesMedicine {
      text.text("DESCRIPTION", event.medicines.joined(separator: "\n"))
    }
    text.line("URL", address)
    text.line("CLASS", "PRIVATE")
    text.line("BEGIN", "VALARM")
    text.line("ACTION", "DISPLAY")
    text.line(kind == .events ? "TRIGGER" : "TRIGGER;RELATED=END", "PT0S")
    text.text("DESCRIPTION", summary)
    text.line("END", "VALARM")
    text.line("END", component)
  }

  /// Writes a wall time with its zone, or in UTC if the clock shows that time twice.
  private func write(_ name: String, _ moment: Timestamp, to text: inout ICalendarText) {
    let instant = Instant(milliseconds: moment.milliseconds)
    let local = zone.local(at: instant)
    let back = zone.instant(of: local.date, at: local.time)
    let isSame = back.map { $0.instant.milliseconds / 1_000 == instant.milliseconds / 1_000 }
    if isUniversal || isSame != true {
      text.line(name, ICalendarText.universal(instant))
    } else {
      text.line("\(name);TZID=\(zone.identifier)", ICalendarText.local(local))
    }
  }

  private func title(_ event: CalendarEvent) -> String {
    let title =
      namesMedicine
      ? localizer.text("calendar.feed.named", ["medicines": .text(localizer.list(event.medicines))])
      : localizer.text("calendar.feed.event")
    return label.map {
      localizer.text("reminders.labelled", ["label": .text($0), "title": .text(title)])
    } ?? title
  }
}

/// A time zone in iCalendar format: each period with one UTC offset that the events touch.
struct ICalendarZone: Sendable {
  let zone: Zone
  let events: [CalendarEvent]

  func write(to text: inout ICalendarText) {
    guard let first = events.first?.at, let last = events.last?.at else { return }
    let from = Instant(milliseconds: first.milliseconds - 24 * 3_600_000)
    let until = Instant(milliseconds: last.milliseconds + 24 * 3_600_000)
    let changes = zone.changes(after: from, until: until)
    let start = zone.offsetSeconds(at: from)
    let least = ([start] + changes.map(\.after)).min() ?? start
    text.line("BEGIN", "VTIMEZONE")
    text.line("TZID", zone.identifier)
    // The period at the first event; earlier ones are not needed.
    stretch(
      from: start, to: start, at: zone.local(at: from), isDaylight: start > least, text: &text)
    for change in changes {
      let wall = Instant(milliseconds: change.instant.milliseconds + Int64(change.before) * 1_000)
      stretch(
        from: change.before, to: change.after, at: Zone.utc.local(at: wall),
        isDaylight: change.after > least, text: &text)
    }
    text.line("END", "VTIMEZONE")
  }

  private func stretch(
    from before: Int, to after: Int, at moment: LocalDateTime, isDaylight: Bool,
    text: inout ICalendarText
  ) {
    let name = isDaylight ? "DAYLIGHT" : "STANDARD"
    text.line("BEGIN", name)
    text.line("DTSTART", ICalendarText.local(moment))
    text.line("TZOFFSETFROM", ICalendarText.offset(before))
    text.line("TZOFFSETTO", ICalendarText.offset(after))
    text.line("END", name)
  }
}
