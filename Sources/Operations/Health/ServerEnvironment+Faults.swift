// SPDX-License-Identifier: Apache-2.0

import Web

extension InstallationFaults: FeatureValue {
  /// An empty list.
  package static let absent = InstallationFaults()
}

extension ServerEnvironment {
  /// The faults that the operator must fix.
  package var faults: InstallationFaults { features[InstallationFaults.self] }
}
