// SPDX-License-Identifier: Apache-2.0

import Channels
import Foundation
import Localization
import Outbound
import Reminders
import Web

/// The typed settings of an ntfy topic.
struct NtfyInput: Sendable {
  enum Mistake: Sendable, Hashable {
    case serverMissing, serverRefused, topicWrong, tokenWrong, tooMany

    var field: String {
      switch self {
      case .serverMissing, .serverRefused: "server"
      case .topicWrong, .tooMany: "topic"
      case .tokenWrong: "token"
      }
    }

    func message(_ localizer: Localizer) -> String {
      switch self {
      case .serverMissing: localizer.text("channels.ntfy.server-missing")
      case .serverRefused: localizer.text("channels.ntfy.server-refused")
      case .topicWrong: localizer.text("channels.ntfy.topic-wrong")
      case .tokenWrong: localizer.text("channels.ntfy.token-wrong")
      case .tooMany:
        localizer.text(
          "channels.ntfy.too-many", ["maximum": .number(ChannelAddresses.largestCount)])
      }
    }
  }

  var server: String
  var topic: String
  var token: String

  init(server: String, topic: String, token: String = "") {
    self.server = server
    self.topic = topic
    self.token = token
  }

  init(_ form: FormBody) {
    self.init(
      server: form.text("server") ?? "", topic: form.text("topic") ?? "",
      token: form.text("token") ?? "")
  }

  /// Returns the settings with their host, or the mistake.
  func settings(_ policy: OutboundPolicy) -> Result<(ChannelSettings, host: String), Mistakes> {
    var mistakes: [Mistake] = []
    // JSON is published at the root of the server, whatever path was typed.
    let base = server.hasSuffix("/") ? String(server.dropLast()) : server
    let url = try? policy.check(base)
    if base.isEmpty {
      mistakes.append(.serverMissing)
    } else if url == nil {
      mistakes.append(.serverRefused)
    }
    if !NtfyMessage.isTopic(topic) { mistakes.append(.topicWrong) }
    let isToken =
      token.utf8.count <= 200 && token.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    if !isToken { mistakes.append(.tokenWrong) }
    guard mistakes.isEmpty, let url else { return .failure(Mistakes(all: mistakes)) }
    return .success(
      (ChannelSettings(server: base, topic: topic, token: token), host: url.hostText))
  }

  struct Mistakes: Error, Sendable {
    var all: [Mistake]
  }
}
