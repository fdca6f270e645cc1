// SPDX-License-Identifier: Apache-2.0

import Foundation
import Secrecy
import Testing

@testable import Channels

/// Requests to the servers of bots, and updates from them, as documented.
@Suite struct ChatBotTests {
  private static func bot(_ kind: ChatBot.Kind) -> ChatBot {
    ChatBot(
      kind: kind, address: "https://bot.example",
      name: kind == .signal ? "+4740000000" : "pill_bot",
      token: Concealed("12:ab"), secret: Concealed("a-secret-of-the-bot"))
  }

  private static func text(_ request: ChannelRequest?) -> String {
    String(decoding: request?.body ?? [], as: UTF8.self)
  }

  @Test func `Telegram gets a message with buttons`() {
    let bot = Self.bot(.telegram)
    let request = bot.message("Time", to: "77", buttons: [.init("Taken", data: "1:d")])
    #expect(request.address == "https://bot.example/bot12:ab/sendMessage")
    #expect(
      Self.text(request)
        == #"{"chat_id":"77","reply_markup":{"inline_keyboard":[[{"callback_data":"1:d","text":"Taken"}]]},"text":"Time"}"#
    )
    #expect(Self.text(bot.message("Time", to: "77")) == #"{"chat_id":"77","text":"Time"}"#)
    let edit = bot.edit(5, in: "77", to: "Logged")
    #expect(edit?.address.hasSuffix("/editMessageText") == true)
    #expect(Self.text(edit) == #"{"chat_id":"77","message_id":5,"text":"Logged"}"#)
    #expect(Self.text(bot.acknowledge("q")) == #"{"callback_query_id":"q"}"#)
    #expect(bot.link("c") == "https://t.me/pill_bot?start=c")
  }

  @Test func `Signal gets a text`() {
    let bot = Self.bot(.signal)
    let request = bot.message("Time", to: "+4740000012", buttons: [.init("Taken", data: "1:d")])
    #expect(request.address == "https://bot.example/v2/send")
    #expect(
      Self.text(request)
        == #"{"message":"Time","number":"+4740000000","recipients":["+4740000012"]}"#)
    #expect(bot.edit(5, in: "x", to: "y") == nil && bot.acknowledge("q") == nil)
    #expect(bot.link("c") == nil)
  }

  @Test(arguments: ChatBot.Kind.allCases)
  func `only the secret opens`(kind: ChatBot.Kind) {
    let bot = Self.bot(kind)
    #expect(bot.knows("a-secret-of-the-bot"))
    for given in [nil, "", "a-secret-of-the-bo", "a-secret-of-the-bot ", "x"] {
      #expect(!bot.knows(given))
    }
  }

  @Test func `updates of Telegram are read`() {
    let bot = Self.bot(.telegram)
    func read(_ text: String) -> ChatUpdate? { bot.update(in: Array(text.utf8)) }
    #expect(
      read(
        #"{"update_id":9,"message":{"message_id":1,"chat":{"id":77,"type":"private"},"text":"1"}}"#)
        == ChatUpdate(id: "9", chat: "77", text: "1"))
    #expect(
      read(
        #"""
        {"update_id":9,"callback_query":{"id":"q","data":"2:d",
         "message":{"message_id":5,"chat":{"id":77,"type":"private"}}}}
        """#)
        == ChatUpdate(id: "9", chat: "77", text: "2:d", press: .init(id: "q", message: 5)))
    for other in [
      "", "{", "[]", "{}", #"{"update_id":9}"#,
      #"{"update_id":9,"message":{"message_id":1,"chat":{"id":-7,"type":"group"},"text":"1"}}"#,
      #"{"update_id":9,"message":{"message_id":1,"chat":{"id":77,"type":"private"}}}"#,
      #"{"update_id":"9","message":7}"#,
    ] {
      #expect(read(other) == nil, "\(other)")
    }
  }

  @Test func `messages of Signal are read`() {
    let bot = Self.bot(.signal)
    func read(_ text: String) -> ChatUpdate? { bot.update(in: Array(text.utf8)) }
    let envelope =
      #"{"envelope":{"sourceNumber":"+4740000012","dataMessage":{"timestamp":5,"message":"1"}}}"#
    let update = ChatUpdate(id: "+4740000012:5", chat: "+4740000012", text: "1")
    #expect(read(envelope) == update)
    #expect(read(#"{"jsonrpc":"2.0","method":"receive","params":\#(envelope)}"#) == update)
    for other in [
      "", #"{"envelope":{"sourceNumber":"+4740000012","typingMessage":{}}}"#,
      #"""
      {"envelope":{"sourceNumber":"+47","dataMessage":{"timestamp":5,"message":"1","groupInfo":{}}}}
      """#,
      #"{"envelope":{"dataMessage":{"timestamp":5,"message":"1"}}}"#,
    ] {
      #expect(read(other) == nil, "\(other)")
    }
  }
}
