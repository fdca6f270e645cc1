// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import HTTPTypes
import Synchronization
import Telemetry

/// Counts requests by route and kind of status, and measures how long their answers take.
package final class RequestMetrics: Sendable {
  /// The requests that were answered; requests without a route have the route `none`.
  package static let requests = MetricDefinition(
    "regimen_http_requests_total", .counter, labels: ["method", "route", "status"], limit: 5_000,
    help: "Requests by method, route and status class.")
  /// The time until an answer begins, by kind of interface.
  package static let durations = MetricDefinition(
    "regimen_http_request_duration_seconds",
    .histogram(bounds: MetricDefinition.seconds), labels: ["surface"],
    help: "Time until the answer to a request begins.")

  /// All metrics of requests.
  package static let definitions = [requests, durations]

  private struct Key: Hashable {
    let method: String
    let route: String
    let status: Int
  }

  private let factory: any MetricsFactory
  private let counters = Mutex<[Key: Counter]>([:])
  private let timers: [Route.Surface: CoreMetrics.Timer]

  /// Creates the counters in a registry.
  package init(factory: any MetricsFactory) {
    self.factory = factory
    var timers: [Route.Surface: CoreMetrics.Timer] = [:]
    for surface in Route.Surface.allCases {
      timers[surface] = factory.timer(Self.durations, surface.rawValue)
    }
    self.timers = timers
  }

  /// Counts an answered request.
  ///
  /// - Parameters:
  ///   - route: The pattern of its address; nil without a route.
  ///   - nanoseconds: The time until its answer begins.
  func note(
    _ method: HTTPRequest.Method, route: String?, surface: Route.Surface, status: Int,
    nanoseconds: UInt64
  ) {
    // Clients can invent methods, but not routes.
    let name = RouteTable.methods.contains(method) ? method.rawValue : MetricRegistry.overflow
    let key = Key(method: name, route: route ?? "none", status: status / 100)
    let counter = counters.withLock { counters in
      if let known = counters[key] { return known }
      let new = factory.counter(Self.requests, name, key.route, "\(key.status)xx")
      counters[key] = new
      return new
    }
    counter.increment()
    timers[surface]?.recordNanoseconds(Int64(clamping: nanoseconds))
  }
}

extension RequestMetrics: FeatureValue {
  /// Counters that are not kept.
  package static let absent = RequestMetrics(factory: NOOPMetricsHandler.instance)
}

extension ServerEnvironment {
  /// The counters of requests.
  var requestMetrics: RequestMetrics { features[RequestMetrics.self] }
}
