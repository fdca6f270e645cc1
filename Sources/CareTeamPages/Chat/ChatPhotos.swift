// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import CareTeam
import HTTPTypes
import Hummingbird
import Identifiers
import Media
import NIOCore
import Presentation
import SiteMap
import Storage
import Web

/// The photos of messages: sent with a caption, re-encoded, and shown to both sides.
package enum ChatPhotos {
  static let field = "photo"
  /// The longest caption; it is short because it travels in the same form as the file.
  static let longestCaption = 200

  @Sendable static func send(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let conversation = try await ChatRoutes.find(call, signedIn)
    let call = call.visiting(conversation.patient)
    var input = ChatInput()
    let photo: Photo
    do {
      let received = try await ReceivedFile.read(
        call, field: field, maximum: PhotoReader.maximumFile,
        names: [ChatRoutes.textField, ChatRoutes.eventField])
      input.text = received.fields.raw(ChatRoutes.textField) ?? ""
      input.event = received.fields.text(ChatRoutes.eventField)
      photo = try await call.environment.photos.photo(reading: received.bytes)
    } catch let problem as ReceivedFile.Problem {
      input.photoMistake = problem == .missing ? .missing : .tooLarge
      return try await ChatView.response(call, signedIn, conversation, input)
    } catch let problem as PhotoProblem {
      input.photoMistake = PhotoMistake(problem)
      return try await ChatView.response(call, signedIn, conversation, input)
    }
    return try await ChatRoutes.send(
      input, photo: ChatPhoto(bytes: photo.bytes, width: photo.width, height: photo.height),
      to: conversation, call, signedIn)
  }

  /// Serves the photo; it is never cached.
  @Sendable static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let conversation = try await ChatRoutes.find(call, signedIn)
    let authorization = try call.authorize(.read, "Communication", of: conversation.patient)
    let environment = call.environment
    let message = try MessageID(call.parameter("message"))
    let reader = ChatReader(actor: signedIn.actor, accounts: environment.accounts, now: call.now)
    let found = try await environment.database.read { storage in
      try reader.photo(message, in: conversation, storage)
    }
    guard let bytes = found else { throw Failure.notFound }
    try await environment.audit(authorization, count: 1, at: call.now)
    return PhotoResponse.make(bytes)
  }
}
