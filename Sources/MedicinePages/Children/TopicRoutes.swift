// SPDX-License-Identifier: Apache-2.0

import Accounts
import Hummingbird
import Knowledge
import Presentation
import Web

/// The page of a topic; a topic about children links to their schedules.
package enum TopicRoutes {
  /// The route of the page.
  package static let all: [Route] = [.page(.get, "/knowledge/topics/:topic", show)]

  private static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let handbook = Handbook.shipped
    guard let topic = handbook.topic(try call.parameter("topic")) else { throw Failure.notFound }
    let schedules =
      topic.audience == .children
      ? TopicChildren(
        topic: topic, children: try await ChildListPage.children(call), localizer: call.localizer
      ).markup : nil
    return TopicPage(handbook: handbook, topic: topic, region: call.region, schedules: schedules)
      .response(call)
  }
}
