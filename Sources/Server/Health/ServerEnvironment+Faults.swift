// SPDX-License-Identifier: Apache-2.0

extension ServerEnvironment {
  /// The faults that the operator must fix.
  var faults: InstallationFaults { features[InstallationFaults.self] }
}
