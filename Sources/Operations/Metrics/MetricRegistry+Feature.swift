// SPDX-License-Identifier: Apache-2.0

import Telemetry
import Web

extension MetricRegistry: FeatureValue {
  /// A registry of no metrics.
  package static let absent = MetricRegistry([])
}

extension ServerEnvironment {
  /// The metrics that features count.
  package var metricRegistry: MetricRegistry { features[MetricRegistry.self] }
}
