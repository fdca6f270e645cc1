// SPDX-License-Identifier: Apache-2.0

import Adherence
import Knowledge
import Storage

/// The prescriptions of a file, checked with each other and with what is taken, before any is taken over.
struct ImportChecks: Sendable {
  /// More are not checked together at once; what the file has behind them is told of as unchecked.
  static let most = 400

  /// The checks by the number of their prescription.
  private(set) var checks: [Int: MedicineCheck] = [:]
  /// How many prescriptions were not checked.
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

  /// How many warnings there are, each counted once.
  var count: Int {
    Set(checks.values.flatMap(\.questions).map(\.key)).count
      + checks.values.reduce(0) { $0 + $1.ageBars.count }
  }
}
