// SPDX-License-Identifier: Apache-2.0

import Adherence
import Knowledge
import Storage

/// The prescriptions of a file, checked against each other and the current medicines before any is accepted.
struct ImportChecks: Sendable {
  /// The most prescriptions checked together; the rest of the file is reported as unchecked.
  static let most = 400

  /// The checks, keyed by the number of their prescription.
  private(set) var checks: [Int: MedicineCheck] = [:]
  /// The number of prescriptions that were not checked.
  private(set) var rest = 0

  init(
    _ prescriptions: [ImportPrescription], patient: String, checker: MedicineChecker,
    in reader: any SQLReader
  ) throws {
    rest = max(0, prescriptions.count - Self.most)
    var numbers: [Int] = []
    var incoming: [IncomingMedicine] = []
    for prescription in prescriptions.prefix(Self.most) {
      guard let one = try IncomingMedicine(prescription, patient: patient, in: reader) else {
        continue
      }
      numbers.append(prescription.number)
      incoming.append(one)
    }
    let found = try checker.check(incoming, in: reader)
    for (number, check) in zip(numbers, found) {
      checks[number] = check
    }
  }

  /// The number of warnings, each counted once.
  var count: Int {
    Set(checks.values.flatMap(\.questions).map(\.key)).count
      + checks.values.reduce(0) { $0 + $1.ageBars.count }
  }
}
