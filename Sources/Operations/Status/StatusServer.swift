// SPDX-License-Identifier: Apache-2.0

import HTML
import HomeAutomation
import Localization
import MQTT
import Presentation
import Reminders
import Web

/// The state of the server, for administrators.
struct StatusServer: PagePart {
  let server: StatusModel.Server
  let mailIsPossible: Bool
  let words: DoseFormatter

  private var localizer: Localizer { words.localizer }

  var markup: Markup {
    """
    \(Section(localizer.text("status.troubles.title"), troubles))\
    \(if: !server.channels.isEmpty, channels)\
    \(InteractionStatus(source: server.interactions, localizer: localizer))\
    <div id="backup">\(Section(
      localizer.text("status.server.title"), "\(DescriptionList(facts))"))</div>
    """
  }

  private var troubles: Markup {
    let lines = sentences
    guard !lines.isEmpty else { return "<p>\(localizer.text("status.troubles.none"))</p>" }
    return "<ul class=\"stack-small\" role=\"list\">\(each: lines, { "<li>\($0)</li>" })</ul>"
  }

  private var sentences: [String] {
    var lines: [String] = []
    if !server.auditIsSound {
      lines.append(localizer.text("status.troubles.audit", ["command": "regimen verify"]))
    }
    if !server.missingZones.isEmpty {
      lines.append(
        localizer.text(
          "faults.zones.help", ["zones": .text(server.missingZones.joined(separator: ", "))]))
    }
    if server.lostLogLines > 0 {
      lines.append(counted("faults.log.help", Int64(server.lostLogLines)))
    }
    if case .down(let trouble, since: let since)? = server.broker {
      lines.append(
        localizer.text(
          "home-assistant.trouble",
          ["reason": .text(trouble.rawValue), "time": .text(words.moment(since))]))
    }
    if server.patientsWithNobody > 0 {
      lines.append(counted("status.troubles.nobody", server.patientsWithNobody))
    }
    if server.unconfirmedDevices > 0 {
      lines.append(counted("status.troubles.unconfirmed", server.unconfirmedDevices))
    }
    lines += server.troubles.map { trouble in
      localizer.text(
        "status.troubles.host",
        [
          "host": .text(
            trouble.host.isEmpty ? localizer.text("status.troubles.mail-program") : trouble.host),
          "count": .number(Int(clamping: trouble.count)), "trouble": .text(trouble.trouble),
        ])
    }
    if !server.hasContact {
      lines.append(
        localizer.text("status.troubles.contact", ["setting": "REGIMEN_VAPID_SUBJECT"]))
    }
    if !mailIsPossible {
      lines.append(localizer.text("status.troubles.mail", ["setting": "REGIMEN_SENDMAIL"]))
    }
    return lines
  }

  /// The channels in the last day, compared with their own week.
  private var channels: Markup {
    let items = server.channels.map { week in
      let share = { (part: Int64, whole: Int64) -> String in
        whole == 0
          ? "–"
          : localizer.text(
            "health.percent", ["number": .number(Int(clamping: part * 100 / whole))])
      }
      let text = localizer.text(
        week.isWorse ? "health.channel-worse" : "health.channel",
        [
          "day": .text(share(week.dayHandedOver, week.dayTried)),
          "tried": .number(Int(clamping: week.dayTried)),
          "week": .text(share(week.weekHandedOver, week.weekTried)),
        ])
      return DescriptionList.Item(week.channel.name(localizer), text)
    }
    return Section(localizer.text("health.channels"), "\(DescriptionList(items))").markup
  }

  private var facts: [DescriptionList.Item] {
    let counters = server.counters
    return [
      item("status.server.planned", counters.planned),
      item("status.server.handed-over", counters.handedOver),
      item("status.server.shown", counters.shown),
      item("status.server.answered", counters.answered),
      item("status.server.expired", counters.expired),
      item("status.server.missed", counters.missedByUs),
      .init(localizer.text("status.server.database"), server.database),
      .init(
        localizer.text("backup.status.label"),
        BackupText(health: server.backups, words: words).text),
    ]
  }

  private func item(_ key: MessageKey, _ count: Int64) -> DescriptionList.Item {
    .init(localizer.text(key), localizer.number(Int(clamping: count)))
  }

  private func counted(_ key: MessageKey, _ count: Int64) -> String {
    localizer.text(key, ["count": .number(Int(clamping: count))])
  }
}
