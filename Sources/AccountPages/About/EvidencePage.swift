// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTML
import Hummingbird
import Localization
import SiteMap
import Web

/// `/about/evidence`: the measurements of this program, and everything that nobody has measured yet.
///
/// Each figure is also in `docs/evidence.md`, with its source.
package enum EvidencePage {
  /// The route of the page, open to all like the page about the installation.
  package static let all: [Route] = [.open(.get, Address.evidence, page)]

  /// The figures of the heart rate questions, from `docs/heart-rate-monitoring.md`: six families of simulated people
  /// on which nothing was tuned, 150 people each, as the program is set.
  private enum Heart {
    static let people = 900
    static let long = 59
    static let single = 19
    /// Hundredths of days with a needless question in thirty days: the mean, and the worst family.
    static let needless = 32
    static let worst = 50
    static let command = "PYTHONPATH=Benchmarks/heart python3 Benchmarks/heart/families/measure.py"
  }

  /// The number of times that the tests kill the program or cut its power.
  private enum Kills {
    static let reminders = 20
    static let cuts = 4
    static let reminderCommand = "pytest Tests/EndToEnd/test_reminder_kill.py"
    static let cutCommand = "pytest Tests/EndToEnd/test_power_cut.py"
  }

  /// The grade of the English texts in tenths, from `docs/evidence.md`.
  private enum Reading {
    static let grade = 25
    static let command = "Scripts/readability.py"
  }

  @Sendable private static func page(_ call: Call) async throws -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("evidence.title")
    frame.lead = localizer.text("evidence.lead")
    frame.place = .me
    frame.back = .init(localizer.text("feedback.title"), address: Address.about)
    return call.page(
      frame,
      """
      <div class="narrow stack-large">\(missing(localizer))\(heart(localizer))\(kills(localizer))\
      \(reading(localizer))<p class="muted">\(localizer.text("evidence.more"))</p></div>
      """)
  }

  private static func missing(_ localizer: Localizer) -> Markup {
    let parts = ["study", "labelled", "usability", "cause"]
    return Section(
      localizer.text("evidence.missing"), id: "missing",
      """
      <ul class="stack-small" role="list">\(each: parts, { part in
        "<li>\(localizer.text("evidence.not", ["part": .text(part)]))</li>" as Markup
      })</ul>
      """
    ).markup
  }

  private static func heart(_ localizer: Localizer) -> Markup {
    let lines = [
      localizer.text("evidence.simulated", ["people": .number(Heart.people)]),
      localizer.text(
        "evidence.found", ["long": .number(Heart.long), "single": .number(Heart.single)]),
      localizer.text(
        "evidence.needless",
        [
          "mean": .decimal(Decimal(Heart.needless) / 100),
          "worst": .decimal(Decimal(Heart.worst) / 100),
        ]),
    ]
    return Section(
      localizer.text("evidence.heart"), id: "heart", list(lines, [Heart.command], localizer)
    ).markup
  }

  private static func kills(_ localizer: Localizer) -> Markup {
    let lines = [
      localizer.text("evidence.reminders", ["kills": .number(Kills.reminders)]),
      localizer.text("evidence.power", ["cuts": .number(Kills.cuts)]),
    ]
    return Section(
      localizer.text("evidence.kills"), id: "kills",
      list(lines, [Kills.reminderCommand, Kills.cutCommand], localizer)
    ).markup
  }

  private static func reading(_ localizer: Localizer) -> Markup {
    let line = localizer.text(
      "evidence.grade", ["grade": .decimal(Decimal(Reading.grade) / 10)])
    return Section(
      localizer.text("evidence.reading"), id: "reading", list([line], [Reading.command], localizer)
    ).markup
  }

  private static func list(
    _ lines: [String], _ commands: [String], _ localizer: Localizer
  ) -> Markup {
    """
    <ul class="stack-small" role="list">\(each: lines, { "<li>\($0)</li>" as Markup })</ul>\
    <p class="muted">\(localizer.text("evidence.command"))</p>\
    \(each: commands, { "<p class=\"heart-secret\"><code translate=\"no\">\($0)</code></p>" as Markup })
    """
  }
}
