// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// The server's parts, as services for the composition root to run.
package struct RegimenServer: Sendable {
  let environment: ServerEnvironment

  package init(environment: ServerEnvironment) {
    self.environment = environment
  }

  /// Everything that is served over TCP.
  package var routes: [Route] {
    [
      HealthRoutes.all, AssetRoutes.all, WelcomeRoutes.all, SignInRoutes.all, TodayRoutes.all,
      DoseRoutes.all, EntryRoutes.all, MedicineRoutes.all, HistoryRoutes.all, ImportRoutes.all,
      DetailsRoutes.all, PeopleRoutes.all, PrivacyRoutes.all, PreferenceRoutes.all,
      RingRoutes.all, DeviceRoutes.all, WebAppRoutes.all, StatusRoutes.all,
      AccountAPI.all, DosesAPI.all, DoseReasonsAPI.all, AnswersAPI.all, AdministrationsAPI.all,
      ProposalsAPI.all, ImportsAPI.all, PushSubscriptionsAPI.all, DeliveriesAPI.all, EventsAPI.all,
      AuditAPI.all, OpenAPIRoutes.all,
      FHIRRoutes.all, TrustRoutes.all,
    ].flatMap(\.self)
  }

  /// The services in the order in which they start; they stop in the reverse order.
  ///
  /// - Parameter onListening: called with the port once connections are taken.
  package func services(
    host: String, port: Int, controlSocket: String,
    onListening: @escaping @Sendable (_ port: Int) async -> Void
  ) -> [any Service] {
    // Administration must find its socket once the server says that it listens.
    let (controlIsUp, controlRuns) = AsyncStream<Void>.makeStream()
    let web = Application(
      router: RouteTable(routes: routes, environment: environment).router(), server: webServer,
      configuration: ApplicationConfiguration(
        address: .hostname(host, port: port),
        availableConnectionsDelegate: MaximumAvailableConnections(4096)),
      onServerRunning: { channel in
        for await _ in controlIsUp {}
        await onListening(channel.localAddress?.port ?? port)
      },
      logger: environment.logger)
    let control = Application(
      router: RouteTable(
        routes: AdministrationRoutes.all(environment: environment) + ImportRoutes.host
          + MaintenanceRoutes.host,
        environment: environment
      ).router(),
      server: .http1(configuration: httpConfiguration),
      configuration: ApplicationConfiguration(address: .unixDomainSocket(path: controlSocket)),
      onServerRunning: { _ in controlRuns.finish() },
      logger: environment.logger)
    let certificates = environment.home.map {
      HomeCertificateService(certificates: $0, logger: environment.logger)
    }
    return [
      DiskSpaceService(environment: environment), ReadAuditService(environment: environment),
      ReminderService(environment: environment),
      HorizonService(environment: environment), BackupService(environment: environment),
      RetentionService(environment: environment), control,
    ] + [certificates].compactMap(\.self) + [web]
  }

  /// Plain http, or https where the server has certificates of its own.
  private var webServer: HTTPServerBuilder {
    guard let home = environment.home else { return .http1(configuration: httpConfiguration) }
    let configuration = httpConfiguration
    return HTTPServerBuilder { responder in
      HomeTLSChannel(
        base: HTTP1Channel(responder: responder, configuration: configuration),
        certificates: home)
    }
  }

  /// Idle and dribbling clients are cut, headers are bounded: Hummingbird sets neither by itself.
  private var httpConfiguration: HTTP1Channel.Configuration {
    HTTP1Channel.Configuration(
      idleTimeout: .seconds(15),
      httpDecoderConfiguration: .init(
        maxHeaderFieldSize: 16 * 1024, maxHeaderListSize: 32 * 1024, maxHeaderFieldCount: 100))
  }
}
