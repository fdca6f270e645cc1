// SPDX-License-Identifier: Apache-2.0

import Accounts
import Channels
import Exchange
import Foundation
import ImportPages
import Logging
import Outbound
import Presentation
import Reminders
import Secrecy
import Storage

extension Composition {
  /// The network connections of the server, and everything to close with them.
  struct Outlets {
    let channels: ReminderChannels
    /// The connection to hospitals' servers.
    let hospitals: HospitalNetwork
    /// The connections to push services, and to servers that people name.
    let clients: [OutboundClient]
  }

  static let uptime: @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }

  /// Creates the channels for reminders.
  static func outlets(
    _ options: ReminderOptions, publicURL: String?, database: Database, accounts: AccountStore,
    logger: Logger
  ) async throws -> Outlets {
    let key = try await vapidKey(database: database, accounts: accounts)
    let policy = OutboundPolicy(
      allowed: WebPushSender.services, operatorAllowed: options.pushHosts)
    let client = OutboundClient(policy: policy, monotonicNow: uptime, logger: logger)
    let subject =
      options.vapidSubject ?? publicURL.flatMap { $0.hasPrefix("https://") ? $0 : nil }
      ?? "mailto:regimen@localhost"
    let hasContact = VAPIDSubject.isContactable(subject)
    if !hasContact {
      logger.warning(
        "Apple and some other push services refuse senders without a contact: set REGIMEN_VAPID_SUBJECT to mailto: and your address"
      )
    }
    let push = WebPushSender(
      client: client, policy: policy, key: key, subject: subject, random: random)
    var sendMail: ReminderChannels.SendMail?
    if let mail = options.mail {
      let program = SendmailProgram(path: mail.program, sender: mail.from)
      sendMail = { message in await program.send(message) }
    }
    let namedPolicy = OutboundPolicy(
      allowed: [], operatorAllowed: options.outboundHosts, allowsAnyPublicHost: true)
    // A separate client, so that a slow server chosen by a user delays no push.
    let namedClient = OutboundClient(policy: namedPolicy, monotonicNow: uptime, logger: logger)
    let named = ChannelSender(client: namedClient, policy: namedPolicy)
    let phones = options.gateway.map { configured in
      let policy = OutboundPolicy(allowed: [], operatorAllowed: [configured.host])
      let client = OutboundClient(policy: policy, monotonicNow: uptime, logger: logger)
      return (gateway: configured.gateway, client, ChannelSender(client: client, policy: policy))
    }
    let chats = options.chat.map { configured in
      let policy = OutboundPolicy(allowed: [], operatorAllowed: [configured.host])
      let client = OutboundClient(policy: policy, monotonicNow: uptime, logger: logger)
      return (bot: configured.bot, client, ChannelSender(client: client, policy: policy))
    }
    // Another client: hospitals answer slowly and at length.
    let hospitalClient = OutboundClient(
      policy: namedPolicy, monotonicNow: uptime, logger: logger)
    var clients = [client, namedClient, hospitalClient]
    if let phones { clients.append(phones.1) }
    if let chats { clients.append(chats.1) }
    var tellAlive: ReminderChannels.TellAlive?
    if let alive = options.alive {
      let policy = OutboundPolicy(allowed: [], operatorAllowed: [alive.host])
      let client = OutboundClient(policy: policy, monotonicNow: uptime, logger: logger)
      let sender = ChannelSender(client: client, policy: policy)
      let request = ChannelRequest(address: alive.address.revealed, headers: [], body: [])
      clients.append(client)
      tellAlive = { now in await sender.send(request, nowSeconds: now) == .accepted }
    }
    return Outlets(
      channels: ReminderChannels(
        sendPush: { message, endpoint, keys, now in
          await push.send(message, endpoint: endpoint, keys: keys, nowSeconds: now)
        },
        sendMail: sendMail, sender: options.mail?.from, vapidPublicKey: key.publicKey,
        policy: policy,
        hasContact: hasContact,
        named: .init(
          sendNtfy: { message, server, token, now in
            await named.send(message.request(to: server, token: token), nowSeconds: now)
          },
          send: { request, now in await named.send(request, nowSeconds: now) },
          policy: namedPolicy, ntfyServer: options.ntfyServer ?? "https://ntfy.sh"),
        phones: phones.map { gateway, _, sender in
          .init(gateway: gateway) { request, now in
            await sender.send(request, nowSeconds: now)
          }
        },
        chats: chats.map { bot, _, sender in
          .init(bot: bot) { request, now in
            await sender.send(request, nowSeconds: now)
          }
        },
        tellAlive: tellAlive),
      hospitals: HospitalNetwork(
        client: hospitalClient, policy: namedPolicy,
        unpack: { CompressedAnswer.unpack($0, limit: $1) }), clients: clients)
  }

  /// Returns the key with which browsers subscribe, created once, because a subscription is bound
  /// to it.
  private static func vapidKey(
    database: Database, accounts: AccountStore
  ) async throws -> VAPIDKey {
    let proposed = Data(VAPIDKey.generate().rawRepresentation).base64EncodedString()
    return try await database.write { writer in
      let kept = try StoredSecrets.value(
        StoredSecrets.vapidKey, orKeep: proposed, accounts: accounts, in: writer)
      guard let bytes = Data(base64Encoded: kept),
        let key = VAPIDKey(rawRepresentation: Array(bytes))
      else { throw StorageError.decryptionFailed }
      return key
    }
  }
}
