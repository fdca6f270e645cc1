// SPDX-License-Identifier: Apache-2.0

import HealthData
import HTML
import Knowledge
import Localization
import Presentation
import Web

/// The result of reading the operator's own list of interactions, for administrators.
struct InteractionStatus: PagePart {
  /// The most lines that are named: the first ones are enough to find the mistake.
  private static let mostLines = 50

  let source: InteractionSource
  let localizer: Localizer

  var markup: Markup {
    guard source.path != nil else { return Markup() }
    return Section(localizer.text("interactions.status.title"), id: "interactions", content).markup
  }

  private var content: Markup {
    if let problem {
      return Notice(
        .warning,
        title: localizer.text("interactions.status.problem", ["problem": .text(problem)]),
        "<p>\(localizer.text("interactions.status.shipped-holds"))</p>"
      ).markup
    }
    guard let own = source.list.own else { return Markup() }
    let summary = localizer.text(
      "interactions.status.own",
      [
        "count": .number(own.count), "corrections": .number(own.corrections),
        "version": .text(own.version),
      ])
    return "<p>\(summary)</p>\(if: !own.refused.isEmpty, refused(own.refused))"
  }

  private func refused(_ refused: [InteractionList.Refused]) -> Markup {
    let count = localizer.text(
      "interactions.status.refused", ["count": .number(refused.count)])
    var lines = refused.prefix(Self.mostLines).map(line)
    let rest = refused.count - lines.count
    if rest > 0 {
      lines.append(localizer.text("interactions.status.more", ["count": .number(rest)]))
    }
    return """
      <p><strong>\(count)</strong></p>\
      <ul class="stack-small" role="list">\(each: lines, { "<li>\($0)</li>" })</ul>
      """
  }

  private func line(_ refused: InteractionList.Refused) -> String {
    var arguments: MessageArguments = [
      "line": .number(refused.line), "problem": .text(refused.problem.code),
    ]
    arguments["count"] = .number(Interaction.columns.count)
    return localizer.text("interactions.status.line", arguments)
  }

  private var problem: String? {
    switch source.problem {
    case nil: nil
    case .unreadable?: "unreadable"
    case .heading?: "heading"
    case .table(let problem)?: problem.rawValue
    }
  }
}
