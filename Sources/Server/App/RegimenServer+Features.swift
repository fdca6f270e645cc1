// SPDX-License-Identifier: Apache-2.0

import AccountPages
import Adherence
import CareTeamPages
import Exchange
import FHIRAPI
import ImportPages
import Operations
import Presentation
import Reminders
import Telemetry
import Web

extension RegimenServer {
  /// Returns the values that features read from the environment.
  ///
  /// - Parameter channels: The channels over which reminders are sent.
  package static func features(channels: ReminderChannels) -> FeatureValues {
    var features = FeatureValues()
    features[ReminderChannels.self] = channels
    features[ReminderSources.self] = .all
    features[SignInProviders.self] = .none
    features[InteractionSource.self] = .shipped
    features[HospitalExchange.self] = HospitalExchange(network: .none)
    features[LogLosses.self] = LogLosses()
    features[BackupMonitor.self] = BackupMonitor()
    features[InstallationFaults.self] = InstallationFaults()
    features[ServiceSigns.self] = ServiceSigns()
    features[DatabaseCheck.self] = DatabaseCheck()
    features[HealthImportJobs.self] = HealthImportJobs()
    features[AccountSecurityMail.self] = AccountSecurityMail()
    features[PhotoReader.self] = PhotoReader()
    features[DeskTable.self] = CareDeskSource.table
    let registry = MetricRegistry(metrics)
    features[MetricRegistry.self] = registry
    features[RequestMetrics.self] = RequestMetrics(factory: registry)
    features[DatabaseMetrics.self] = DatabaseMetrics(factory: registry)
    features[SignInMetrics.self] = SignInMetrics(factory: registry)
    features[DeliveryMetrics.self] = DeliveryMetrics(factory: registry)
    features[HomeMetrics.self] = HomeMetrics(factory: registry)
    return features
  }

  /// The types of the values that features read from the environment; the server does not start without one of each.
  static var featureTypes: [any FeatureValue.Type] {
    [
      ReminderChannels.self, ReminderSources.self, SignInProviders.self, InteractionSource.self,
      HospitalExchange.self,
      LogLosses.self, BackupMonitor.self, InstallationFaults.self, ServiceSigns.self,
      DatabaseCheck.self,
      HealthImportJobs.self, AccountSecurityMail.self, PhotoReader.self,
      DeskTable.self, MetricRegistry.self, RequestMetrics.self, DatabaseMetrics.self,
      SignInMetrics.self, DeliveryMetrics.self, HomeMetrics.self,
    ]
  }

  /// The metrics that features count, in the order in which they are listed.
  package static let metrics: [MetricDefinition] =
    RequestMetrics.definitions + [DatabaseMetrics.durations, SignInMetrics.attempts]
    + DeliveryMetrics.definitions + HomeMetrics.definitions
}
