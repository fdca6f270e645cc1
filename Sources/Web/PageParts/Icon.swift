// SPDX-License-Identifier: Apache-2.0

import HTML

/// A small inline drawing in the colour of its text, hidden from assistive technology: a word
/// always goes with it.
///
/// Each drawing has one meaning everywhere: `sun` is Today, `moon` quiet hours, `pill` a medicine,
/// `box` the supply at home, `chart` statistics over time, `document` the report, `calendar` days
/// and history, `interaction` the effects of medicines on each other, `card` the emergency card,
/// `people` everyone around a person, `person` one of them, `bell` a reminder.
package enum Icon: String, PagePart, CaseIterable {
  case check, bell, clock, crossInCircle, barInCircle, slashInCircle, pause, pill, plus, pencil
  case stop, person, gear, home, list, undo, info, warning, arrowLeft, chevron, download, lock
  case calendar, meal, sun, moon, signOut, menu, heart, phone, message
  case chart, people, search, question, link
  case box, document, interaction, card

  /// The icon as an inline SVG.
  package var markup: Markup { Self.drawn[self] ?? drawing }

  /// Each icon rendered once: a page shows dozens.
  private static let drawn = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0, $0.drawing) })

  private var drawing: Markup {
    """
    <svg class="icon" width="24" height="24" viewBox="0 0 24 24" aria-hidden="true" \
    focusable="false">\(shape)</svg>
    """
  }

  private var shape: Markup {
    switch self {
    case .check: "<path d=\"M5 12.5 10 17.5 19.5 7\"/>"
    case .bell:
      "<path d=\"M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2h-15zM10 21.5h4M12 5V3\"/>"
    case .clock: "<circle cx=\"12\" cy=\"12\" r=\"9\"/><path d=\"M12 7v5l3.5 2\"/>"
    case .crossInCircle:
      "<circle cx=\"12\" cy=\"12\" r=\"9\"/><path d=\"m9 9 6 6m0-6-6 6\"/>"
    case .barInCircle: "<circle cx=\"12\" cy=\"12\" r=\"9\"/><path d=\"M8 12h8\"/>"
    case .slashInCircle: "<circle cx=\"12\" cy=\"12\" r=\"9\"/><path d=\"m5.6 5.6 12.8 12.8\"/>"
    case .pause: "<circle cx=\"12\" cy=\"12\" r=\"9\"/><path d=\"M10 9v6m4-6v6\"/>"
    case .pill:
      """
      <rect x="2.5" y="8" width="19" height="8" rx="4" transform="rotate(-45 12 12)"/>\
      <path d="m9.2 9.2 5.6 5.6"/>
      """
    case .plus: "<path d=\"M12 5v14M5 12h14\"/>"
    case .pencil: "<path d=\"M4 20l1-4L16.5 4.5a2.1 2.1 0 0 1 3 3L8 19zM14.5 6.5l3 3\"/>"
    case .stop: "<rect x=\"6\" y=\"6\" width=\"12\" height=\"12\" rx=\"2\"/>"
    case .person: "<circle cx=\"12\" cy=\"8\" r=\"4\"/><path d=\"M4 21a8 8 0 0 1 16 0\"/>"
    case .gear:
      """
      <circle cx="12" cy="12" r="3"/><circle cx="12" cy="12" r="6.5"/>\
      <path d="M12 2.5v3m0 13v3M2.5 12h3m13 0h3M5.3 5.3l2.1 2.1m9.2 9.2 2.1 2.1m0-13.4-2.1 2.1\
      m-9.2 9.2-2.1 2.1"/>
      """
    case .home: "<path d=\"M4 11.5 12 4l8 7.5M6 10v10h12V10M10 20v-5h4v5\"/>"
    case .list: "<path d=\"M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01\"/>"
    case .undo: "<path d=\"M8 4 4 8l4 4M4.5 8H14a5.5 5.5 0 0 1 0 11H8\"/>"
    case .info: "<circle cx=\"12\" cy=\"12\" r=\"9\"/><path d=\"M12 11v5.5M12 7.5h.01\"/>"
    case .warning: "<path d=\"M12 3.5 22 20.5H2zM12 10v5M12 17.8h.01\"/>"
    case .arrowLeft: "<path d=\"M20 12H4.5M11 5l-7 7 7 7\"/>"
    case .chevron: "<path d=\"m9 5 7 7-7 7\"/>"
    case .download: "<path d=\"M12 4v11m-5-5 5 5 5-5M4 20h16\"/>"
    case .lock:
      """
      <rect x="5" y="10.5" width="14" height="10" rx="2"/>\
      <path d="M8 10.5V8a4 4 0 0 1 8 0v2.5"/>
      """
    case .calendar:
      """
      <rect x="3.5" y="5" width="17" height="15.5" rx="2"/>\
      <path d="M3.5 10h17M8 2.5V7m8-4.5V7"/>
      """
    case .meal: "<path d=\"M7 3v18M4 3v4a3 3 0 0 0 6 0V3M17 21v-7h-3V8c0-3 1.5-5 3-5z\"/>"
    case .sun:
      """
      <circle cx="12" cy="12" r="4"/><path d="M12 2.5V5m0 14v2.5M2.5 12H5m14 0h2.5M5.3 5.3 7 7\
      m10 10 1.7 1.7m0-13.4L17 7M7 17l-1.7 1.7"/>
      """
    case .moon: "<path d=\"M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z\"/>"
    case .signOut: "<path d=\"M14 4H5v16h9M10 12h11m-4-4 4 4-4 4\"/>"
    case .menu: "<path d=\"M4 6.5h16M4 12h16M4 17.5h16\"/>"
    case .chart: "<path d=\"M4 20.5h16M6.5 17v-5M12 17V5m5.5 12V9\"/>"
    case .box:
      "<path d=\"M3.5 8 12 3.5 20.5 8v8.5L12 21l-8.5-4.5zM3.5 8l8.5 4.5L20.5 8M12 12.5V21\"/>"
    case .document: "<path d=\"M6 3h8.5L19 7.5V21H6zM14 3v5h5M9 12.5h7M9 16.5h7\"/>"
    case .interaction:
      "<circle cx=\"8.5\" cy=\"12\" r=\"5.5\"/><circle cx=\"15.5\" cy=\"12\" r=\"5.5\"/>"
    case .card:
      """
      <rect x="3.5" y="3.5" width="17" height="17" rx="4"/><path d="M12 8v8M8 12h8"/>
      """
    case .people:
      """
      <circle cx="9" cy="8" r="3.5"/><path d="M2.5 20a6.5 6.5 0 0 1 13 0"/>\
      <path d="M15.5 4.8a3.5 3.5 0 0 1 0 6.4M18 14.3a6.5 6.5 0 0 1 3.5 5.7"/>
      """
    case .search: "<circle cx=\"10.5\" cy=\"10.5\" r=\"6.5\"/><path d=\"m15.5 15.5 5 5\"/>"
    case .question:
      """
      <circle cx="12" cy="12" r="9"/>\
      <path d="M9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1 1-1.1 1.8M12 16.8h.01"/>
      """
    case .link:
      """
      <path d="M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1"/>\
      <path d="M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1"/>
      """
    case .message: "<path d=\"M4 5h16v11H11l-4.5 4v-4H4z\"/>"
    case .heart:
      """
      <path d="M12 20.5C5 15.5 3 12 3 8.8A4.8 4.8 0 0 1 12 6.5\
      a4.8 4.8 0 0 1 9 2.3c0 3.2-2 6.7-9 11.7z"/>
      """
    case .phone:
      """
      <path d="M5 3.5h4l1.5 5-2.5 2a12 12 0 0 0 5.5 5.5l2-2.5 5 1.5v4\
      a1.5 1.5 0 0 1-1.5 1.5C10.5 20.5 3.5 13.5 3.5 5A1.5 1.5 0 0 1 5 3.5z"/>
      """
    }
  }
}
