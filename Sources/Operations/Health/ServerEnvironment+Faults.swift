// SPDX-License-Identifier: Apache-2.0

import Web

extension ServerEnvironment {
  /// The faults that the operator must fix.
  package var faults: InstallationFaults { features[InstallationFaults.self] }
}
