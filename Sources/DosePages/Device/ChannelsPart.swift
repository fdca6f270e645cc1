// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Presentation
import Reminders
import SiteMap
import Web

/// The channels other than devices: each address with its status, and buttons to test and remove
/// it.
struct ChannelsPart: PagePart {
  let addresses: [ChannelAddress]
  /// The kinds that can be added besides ntfy.
  let offered: [ChannelForm]
  /// The name of the chat service whose bot can be added; nil if there is none.
  var chat: String?
  let words: DoseFormatter
  let token: FormToken

  private var localizer: Localizer { words.localizer }

  var markup: Markup {
    Section(
      localizer.text("channels.title"), id: "channels",
      """
      <p>\(localizer.text("channels.lead"))</p><div class="stack">\(each: addresses, card)</div>\
      \(ButtonRow(LinkButton(
        localizer.text("channels.add-ntfy"), address: NtfyPage.path, icon: .plus).markup
        + Markup.joined(offered.map(add)) + addChat
        + LinkButton(localizer.text("escalation.title"), address: Address.escalation, icon: .bell).markup))
      """
    ).markup
  }

  private func add(_ form: ChannelForm) -> Markup {
    LinkButton(
      localizer.text("gateways.add", ["form": .text(form.rawValue)]),
      address: ChannelPage.address(form), icon: .plus
    ).markup
  }

  private var addChat: Markup {
    guard let chat else { return Markup() }
    return LinkButton(
      localizer.text("chats.add", ["service": .text(chat)]), address: BotPage.path, icon: .plus
    ).markup
  }

  private func card(_ address: ChannelAddress) -> Markup {
    let name = localizer.text(
      "channels.name",
      [
        "form": .text(address.isChat ? "chat" : address.form.rawValue),
        "address": .text(address.maskedAddress),
      ])
    let state = address.confirmed.map {
      localizer.text("device.note.confirmed", ["time": .text(words.moment($0))])
    }
    let isFirst = address.confirmed == nil && !address.channel.isPhone
    return """
      <div class="card"><h3 class="card-title">\(name)</h3>\
      \(if: state == nil, unproven(address))\
      \(state.map { "<p class=\"muted\">\($0)</p>" as Markup })\
      \(ButtonRow("""
        \(FormButton(
          localizer.text("device.text.test"), action: "/device/channels/\(address.id)/test",
          token: token, kind: isFirst ? .primary : .secondary, icon: .bell,
          object: name))\
        \(FormButton(
          localizer.text("device.text.remove"), action: "/device/channels/\(address.id)/remove",
          token: token, kind: .quiet, object: name))
        """))\(if: !address.log.isEmpty, log(address, name))</div>
      """
  }

  /// Returns the step that is missing before the channel works.
  private func unproven(_ address: ChannelAddress) -> Markup {
    guard address.channel.isPhone else {
      return Notice(.warning, title: localizer.text("channels.unproven")).markup
    }
    return """
      \(Notice(.warning, title: localizer.text("gateways.unproven-phone")))\
      \(Form(
        action: "/device/channels/\(address.id)/code", token: token,
        fields: FormField(
          "code-\(address.id)", label: localizer.text("gateways.code"), kind: .integer,
          hint: localizer.text("gateways.code-hint"), autocomplete: "one-time-code",
          maximumLength: 10, localizer: localizer).markup,
        buttons: Button(localizer.text("gateways.prove"), icon: .check).markup))
      """
  }

  /// Returns the last messages with their outcomes.
  private func log(_ address: ChannelAddress, _ name: String) -> Markup {
    Disclosure(
      localizer.text("gateways.log"), object: name,
      """
      <ul class="stack-small" role="list">\(each: address.log, { "<li>\(line($0))</li>" })</ul>
      """
    ).markup
  }

  private func line(_ delivery: LoggedDelivery) -> String {
    let outcome = localizer.text(
      "gateways.log-outcome", ["outcome": .text(delivery.outcome.rawValue)])
    let attempts = localizer.text(
      "device.story.attempts", ["count": .number(Int(clamping: delivery.attempts))])
    return [words.moment(delivery.planned), outcome, attempts, delivery.trouble]
      .compactMap { $0 }.joined(separator: " · ")
  }
}
