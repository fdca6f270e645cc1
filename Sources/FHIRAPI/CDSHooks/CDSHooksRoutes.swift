// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import Storage
import Web

/// `/cds-services`: decision support for other systems (CDS Hooks 2.0).
package enum CDSHooksRoutes {
  /// The list of services, which anyone may read, and the services.
  ///
  /// Calls are open to strangers because they are signed in another way than the rest of the server.
  package static let all: [Route] = [
    .open(.get, CDSService.base, as: .api) { _ in JSONResponse.make(CDSService.discovery) },
    .open(.post, "\(CDSService.base)/:service", as: .api, answer),
    .open(.post, "\(CDSService.base)/:service/feedback", as: .api, takeFeedback),
  ]

  private static func answer(_ call: Call) async throws -> Response {
    let name = try call.parameter("service")
    let caller = try await CDSCaller.identify(call, paths: ["\(CDSService.base)/\(name)"])
    let service = try service(name)
    let request = try CDSRequest(await BodyReader.json(of: call), for: service)
    let cards =
      try await service.checksOrders
      ? CDSOrderCards(caller: caller, request: request, service: service).read()
      : CDSPatientCards(caller: caller, patient: request.patient).read()
    let environment = call.environment
    let localizer = caller.call.localizer
    return JSONResponse.make([
      "cards": .array(
        cards.map {
          $0.json(id: environment.newIdentifier(), url: environment.baseURL, localizer)
        })
    ])
  }

  /// Records in the audit trail what became of cards; nothing else is kept.
  private static func takeFeedback(_ call: Call) async throws -> Response {
    let name = try call.parameter("service")
    let path = "\(CDSService.base)/\(name)"
    let caller = try await CDSCaller.identify(call, paths: [path, "\(path)/feedback"])
    let service = try service(name)
    let feedback = try CDSFeedback.all(in: await BodyReader.json(of: call))
    let (actor, now) = (caller.signedIn.actor.accountID, call.now)
    try await call.environment.database.write { writer in
      for item in feedback {
        writer.audit(
          AuditEntry(
            at: now, actor: actor, kind: .create, patient: nil, resource: "CDSFeedback",
            resourceID: "\(service.rawValue) \(item.text)", purpose: Purpose.care.rawValue))
      }
    }
    return JSONResponse.make([:])
  }

  private static func service(_ name: String) throws -> CDSService {
    guard let service = CDSService(rawValue: name) else {
      throw Failure(
        .notFound, code: "not-found",
        detail: "There is no such service. GET \(CDSService.base) lists them.")
    }
    return service
  }
}
