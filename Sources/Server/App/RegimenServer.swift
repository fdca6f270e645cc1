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
      DoseRoutes.all, EntryRoutes.all, MedicineRoutes.all, DetailsRoutes.all, PreferenceRoutes.all,
      AccountAPI.all, DosesAPI.all, AnswersAPI.all, AdministrationsAPI.all, OpenAPIRoutes.all,
      FHIRRoutes.all,
    ].flatMap(\.self)
  }

  /// The services in the order in which they start; they stop in the reverse order.
  ///
  /// - Parameter onListening: called with the port once connections are taken.
  package func services(
    host: String, port: Int, controlSocket: String,
    onListening: @escaping @Sendable (_ port: Int) async -> Void
  ) -> [any Service] {
    let web = Application(
      router: RouteTable(routes: routes, environment: environment).router(),
      server: .http1(configuration: httpConfiguration),
      configuration: ApplicationConfiguration(
        address: .hostname(host, port: port),
        availableConnectionsDelegate: MaximumAvailableConnections(4096)),
      onServerRunning: { channel in
        await onListening(channel.localAddress?.port ?? port)
      },
      logger: environment.logger)
    let control = Application(
      router: RouteTable(
        routes: AdministrationRoutes.all(environment: environment), environment: environment
      ).router(),
      server: .http1(configuration: httpConfiguration),
      configuration: ApplicationConfiguration(address: .unixDomainSocket(path: controlSocket)),
      logger: environment.logger)
    return [
      ReadAuditService(environment: environment), HorizonService(environment: environment),
      control, web,
    ]
  }

  /// Idle and dribbling clients are cut, headers are bounded: Hummingbird sets neither by itself.
  private var httpConfiguration: HTTP1Channel.Configuration {
    HTTP1Channel.Configuration(
      idleTimeout: .seconds(15),
      httpDecoderConfiguration: .init(
        maxHeaderFieldSize: 16 * 1024, maxHeaderListSize: 32 * 1024, maxHeaderFieldCount: 100))
  }
}
