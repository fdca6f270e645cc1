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
      // As long as a stream is: of no length that could be told.
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
        // Asked anew each time: a session that has ended is told nothing more.
        var later = Call(
          stranger: call.request, context: call.context, environment: call.environment,
          parts: call.parts)
        try await later.identify()
        guard later.signedIn?.account.id == signedIn.account.id else { return nil }
        return try? readable(patient.map(PatientID.init), later)
      },
      // A page names the changes that it includes; a browser that connects again knows later ones.
      resume: (call.request.headers[.lastEventID] ?? call.queryValue("since"))
        .flatMap(ChangeCursor.init(text:)))
    let request = call.request
    return Response(
      status: .ok, headers: headers,
      body: ResponseBody { writer in
        try await request.body.consumeWithInboundCloseHandler { body in
          // Nobody reads what a client sends along. Dropping the reader says so: else a body that has not ended when
          // the stream does stops the program, and a long one is waited for.
          _ = body.makeAsyncIterator()
          try await stream.run(&writer)
        } onInboundClosed: {
          subscription.continuation.finish()
        }
        slot.release()
        try await writer.finish(nil)
      })
  }

  /// The patient named, else all of the account.
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

  /// With whom the heart rate alone is shared hears of questions about it alone.
  private static func heartRate(_ patient: PatientID, _ call: Call) throws -> Authorization {
    try call.authorize(.read, VitalCommands.resource, of: patient)
  }

  /// With whom it is shared what was taken, but no medicine, hears of what it is told alone.
  private static func states(_ patient: PatientID, _ call: Call) throws -> Authorization {
    try call.authorize(.read, "DoseState", of: patient)
  }

  private static func mayReadDoses(_ patient: PatientID, _ call: Call) -> Bool {
    (try? call.authorize(.read, "Dose", of: patient)) != nil
  }

  /// Gives the place of a stream back, also where its body was never asked for.
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

  /// A name written here in the source; the fallback is never reached for a valid one.
  private static func named(_ name: String) -> HTTPField.Name {
    HTTPField.Name(name) ?? .via
  }
}
