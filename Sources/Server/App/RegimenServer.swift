// SPDX-License-Identifier: Apache-2.0

import AccountPages
import CareTeamPages
import DosePages
import FHIRAPI
import Hummingbird
import HummingbirdCore
import ImportPages
import JSONAPI
import Logging
import MedicinePages
import NIOCore
import Operations
import ReportPages
import ServiceLifecycle
import Web

/// The routes and services of the server, for the composition root to run.
package struct RegimenServer: Sendable {
  let environment: ServerEnvironment

  /// Creates a server; fails if the environment lacks a value that a feature reads from it.
  package init(environment: ServerEnvironment) throws(MissingFeatureValues) {
    try environment.features.check(Self.featureTypes)
    self.environment = environment
  }

  /// The routes that are served over TCP.
  package var routes: [Route] {
    [
      HealthRoutes.all,
      MovedRoutes.all,
      AssetRoutes.all,
      WelcomeRoutes.all,
      SignInRoutes.all,
      SignUpRoutes.all,
      StartRoutes.all,
      AccountSecurityRoutes.all,
      ProviderRoutes.all, AppRoutes.all,
      TodayRoutes.all(showing: todayContributions),
      DoseRoutes.all,
      AlarmRoutes.all,
      MissedPage.all,
      AlarmsAPI.all,
      HomeDeviceRoutes.all,
      HomeDevicesAPI.all,
      StudyRoutes.all, ResearchAPI.all,
      SoundRoutes.all,
      EntryRoutes.all,
      AddMedicineRoutes.all,
      AsNeededRoutes.all, FollowUpRoutes.all, SiteRoutes.all,
      SimpleRoutes.all,
      MedicineRoutes.all,
      ProgressRoutes.all,
      HistoryRoutes.all,
      ImportRoutes.all,
      MeRoutes.all,
      DetailsRoutes.all,
      ChatRoutes.all,
      ConversationsAPI.all,
      HealthProfileRoutes.all,
      PeopleRoutes.all,
      PrivacyRoutes.all,
      EmergencyRoutes.all,
      InteractionRoutes.all,
      SimplificationRoutes.all,
      ReportRoutes.all,
      ReportLinkRoutes.all,
      ChartsRoutes.all,
      EffectRoutes.all,
      TravelRoutes.all,
      HospitalRoutes.all,
      PreferenceRoutes.all,
      RingRoutes.all,
      ActionLinkRoutes.all,
      DeviceRoutes.all,
      ChannelRoutes.all,
      EscalationRoutes.all,
      CalendarRoutes.all,
      WebAppRoutes.all,
      OfflineRoutes.all,
      BadgeRoutes.all,
      WidgetRoutes.all, HomeAssistantRoutes.all,
      StickerRoutes.all,
      ReplyRoutes.all,
      BotRoutes.all,
      StatusRoutes.all,
      AccountAPI.all,
      DosesAPI.all,
      DoseReasonsAPI.all,
      ReschedulingAPI.all,
      SimplificationAPI.all,
      AnswersAPI.all,
      AdministrationsAPI.all,
      ProposalsAPI.all,
      ImportsAPI.all,
      PushSubscriptionsAPI.all,
      DeliveriesAPI.all,
      EventsAPI.all,
      AuditAPI.all,
      OpenAPIRoutes.all,
      VitalsAPI.all,
      EffectAPI.all,
      HeartRateRoutes.all,
      DiaryRoutes.all, CareTeamDiary.all,
      DiaryAPI.all,
      HeartImportPages.all,
      HeartRateMonitoringRoutes.all,
      HeartRateAPI.all,
      QuestionnaireRoutes.all, CareTeamQuestionnaires.all,
      QuestionnairesAPI.all,
      FHIRRoutes.all,
      CDSHooksRoutes.all,
      TrustRoutes.all,
      KnowledgeRoutes.all,
      TopicRoutes.all,
      DoseTablesPage.all,
      CareTeamRoutes.all,
      Prescribing.all,
      CareTeamHeartRate.all,
      CaregiverMessageRoutes.all,
      CaregiverMessagesAPI.all,
      EmergencyCardRoutes.all,
      ChildRoutes.all,
      AboutRoutes.all, EvidencePage.all,
      HelpRoutes.all,
      SearchRoutes.all,
      AsNeededAPI.all, FollowUpsAPI.all, SitesAPI.all, VoiceAPI.all,
      StockRoutes.all,
      StockAPI.all,
      AppearanceRoutes.all,
      AppearanceAPI.all,
      SecurityText.all,
    ].flatMap(\.self)
  }

  /// All routes that are served over the Unix socket, and never over TCP.
  var hostRoutes: [Route] {
    let routes =
      AdministrationRoutes.all(environment: environment) + ImportRoutes.host
      + HealthImportRoutes.host + MaintenanceRoutes.host + MetricsRoutes.host
      + HealthRoutes.host
    return routes.map { $0.onHost() }
  }

  /// The table of the TCP routes.
  var table: RouteTable {
    RouteTable(routes: routes, environment: environment, parts: Self.requestParts)
  }

  /// The table of the Unix socket's routes.
  var hostTable: RouteTable {
    RouteTable(routes: hostRoutes, environment: environment, parts: Self.requestParts)
  }

  /// Returns the services in the order in which they start; they stop in the reverse order.
  ///
  /// - Parameter onListening: Called with the port once connections are accepted.
  package func services(
    host: String, port: Int, controlSocket: String,
    onListening: @escaping @Sendable (_ port: Int) async -> Void
  ) -> [any Service] {
    TemporaryUpload.clear(environment.settings)
    // The socket must exist before the server announces that it listens.
    let (controlIsUp, controlRuns) = AsyncStream<Void>.makeStream()
    let web = Application(
      router: table.router(), server: webServer,
      configuration: ApplicationConfiguration(
        address: .hostname(host, port: port),
        availableConnectionsDelegate: MaximumAvailableConnections(
          environment.settings.maximumConnections + ConnectionBudget.refusals)),
      onServerRunning: { channel in
        for await _ in controlIsUp {}
        await onListening(channel.localAddress?.port ?? port)
      },
      logger: environment.logger)
    let control = Application(
      router: hostTable.router(),
      server: .http1(configuration: httpConfiguration),
      configuration: ApplicationConfiguration(
        address: .unixDomainSocket(path: controlSocket),
        availableConnectionsDelegate: MaximumAvailableConnections(Self.controlConnections)),
      onServerRunning: { _ in controlRuns.finish() },
      logger: environment.logger)
    let certificates = environment.home.map {
      HomeCertificateService(certificates: $0, logger: environment.logger)
    }
    return [
      DiskSpaceService(environment: environment), ReadAuditService(environment: environment),
      ReminderService(environment: environment),
      AccountSecurityMailService(environment: environment),
      FeedbackService(environment: environment),
      HorizonService(environment: environment), BackupService(environment: environment),
      DamageService(environment: environment),
      RetentionService(environment: environment),
      HeartRateMonitoringService(environment: environment),
      AliveService(environment: environment), MessageService(environment: environment),
      HospitalService(environment: environment), ExportService(environment: environment),
      SubscriptionService(environment: environment), HomeService(environment: environment),
      control,
      FaultService(environment: environment),
    ] + [certificates].compactMap(\.self) + [
      ListeningService(base: web, host: host, port: port)
    ]
  }

  /// The most simultaneous commands from the host; further ones wait.
  private static let controlConnections = 16

  /// The web server: plain http, or https if the server has its own certificates.
  private var webServer: HTTPServerBuilder {
    let configuration = httpConfiguration
    let settings = environment.settings
    let ledger = ConnectionLedger(
      limit: settings.maximumConnectionsOfAddress, total: settings.maximumConnections,
      proxies: settings.trustedProxies)
    guard let home = environment.home else {
      return HTTPServerBuilder { responder in
        GuardedChannel(
          base: HTTP1Channel(responder: responder, configuration: configuration), ledger: ledger)
      }
    }
    return HTTPServerBuilder { responder in
      HomeTLSChannel(
        base: GuardedChannel(
          base: HTTP1Channel(responder: responder, configuration: configuration), ledger: ledger),
        certificates: home)
    }
  }

  /// The limits on idle clients and headers, which Hummingbird leaves unset.
  ///
  /// ``ConnectionGuard`` handles slow clients.
  private var httpConfiguration: HTTP1Channel.Configuration {
    HTTP1Channel.Configuration(
      idleTimeout: .seconds(15),
      httpDecoderConfiguration: .init(
        maxHeaderFieldSize: 16 * 1024, maxHeaderListSize: 32 * 1024, maxHeaderFieldCount: 100))
  }
}
