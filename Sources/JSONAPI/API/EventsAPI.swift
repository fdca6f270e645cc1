// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTTPTypes
import Hummingbird
import Identifiers
import Observations
import Storage
import Web

/// `GET /api/v1/events`: server-sent events of doses, deliveries, proposals, alarms, warnings and messages.
package enum EventsAPI {
  /// The route of the event stream; it also serves patients whose data is open only in an emergency.
  package static let all: [Route] = [.api(.get, LiveEvents.path, events).servingEmergencies()]

  private static func events(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.queryValue("patient").map { $0.replacing("Patient/", with: "") }
    let rights = try readable(patient.map(PatientID.init), call)
    let headers: HTTPFields = [
      .contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store",
      .xAccelBuffering: "no",
    ]
    guard call.request.method == .get else {
      // A stream has no known length.
      return Response(
        status: .ok, headers: headers, body: ResponseBody { try await $0.finish(nil) })
    }
    let live = call.environment.live
    guard
      let subscription = live.open(
        account: signedIn.account.id, patients: Set(rights.map(\.patient)))
    else {
      throw Failure(
        .serviceUnavailable, code: "throttled",
        detail: "Too many event streams are open. Close one, or wait.",
        headers: [.retryAfter: "30"])
    }
    let slot = Slot(live: live, subscription: subscription)
    let stream = EventStream(
      environment: call.environment, subscription: subscription,
      rights: {
        // Checked each time: a session that has ended gets nothing more.
        var later = Call(
          stranger: call.request, context: call.context, environment: call.environment,
          parts: call.parts)
        try await later.identify()
        guard later.signedIn?.account.id == signedIn.account.id else { return nil }
        return try? readable(patient.map(PatientID.init), later)
      },
      // A page names the changes that it includes; a browser that reconnects knows later ones.
      resume: (call.request.headers[.lastEventID] ?? call.queryValue("since"))
        .flatMap(ChangeCursor.init(text:)))
    let request = call.request
    return Response(
      status: .ok, headers: headers,
      body: ResponseBody { writer in
        try await request.body.consumeWithInboundCloseHandler { body in
          // Drops the reader, because nobody reads the request's body. Otherwise a body that is
          // still open when the stream ends stops the program, and a long one delays it.
          _ = body.makeAsyncIterator()
          try await stream.run(&writer)
        } onInboundClosed: {
          subscription.continuation.finish()
        }
        slot.release()
        try await writer.finish(nil)
      })
  }

  /// Returns the named patient, or all of the account.
  private static func readable(_ patient: PatientID?, _ call: Call) throws -> [Authorization] {
    if let patient {
      if let heart = try? heartRate(patient, call), !mayReadDoses(patient, call) { return [heart] }
      if let states = try? states(patient, call), !mayReadDoses(patient, call) { return [states] }
      if let messages = try? call.authorize(.read, "Communication", of: patient),
        !mayReadDoses(patient, call)
      {
        return [messages]
      }
      return [try call.authorize(.read, "Dose", of: patient)]
    }
    let patients = call.signedIn?.actor.rights.keys.sorted() ?? []
    return patients.compactMap { patient in
      (try? call.authorize(.read, "Dose", of: patient)) ?? (try? heartRate(patient, call))
        ?? (try? states(patient, call))
        ?? (try? call.authorize(.read, "Communication", of: patient))
    }
  }

  /// A listener with access only to the heart rate gets only questions about it.
  private static func heartRate(_ patient: PatientID, _ call: Call) throws -> Authorization {
    try call.authorize(.read, VitalCommands.resource, of: patient)
  }

  /// A listener with access to intakes but not medicines gets only messages.
  private static func states(_ patient: PatientID, _ call: Call) throws -> Authorization {
    try call.authorize(.read, "DoseState", of: patient)
  }

  private static func mayReadDoses(_ patient: PatientID, _ call: Call) -> Bool {
    (try? call.authorize(.read, "Dose", of: patient)) != nil
  }

  /// Returns the place of a stream, even if its body was never requested.
  private final class Slot: Sendable {
    let live: LiveEvents
    let subscription: LiveEvents.Subscription

    init(live: LiveEvents, subscription: LiveEvents.Subscription) {
      self.live = live
      self.subscription = subscription
    }

    func release() {
      live.close(subscription)
    }

    deinit {
      live.close(subscription)
    }
  }
}

extension HTTPField.Name {
  fileprivate static let lastEventID = named("Last-Event-ID")
  fileprivate static let xAccelBuffering = named("X-Accel-Buffering")

  /// Returns a name that is a literal in the source; the fallback is never reached for a valid one.
  private static func named(_ name: String) -> HTTPField.Name {
    HTTPField.Name(name) ?? .via
  }
}
