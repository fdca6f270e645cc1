// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Knowledge
import Prescriptions
import Storage

/// The prescriptions of a file, checked against each other and the current medicines before any is
/// accepted.
struct ImportChecks: Sendable {
  /// The most prescriptions checked together; the rest of the file is reported as unchecked.
  static let most = 400

  /// The checks, keyed by the number of their prescription.
  private(set) var checks: [Int: MedicineCheck] = [:]
  /// The number of prescriptions that were not checked.
  private(set) var rest = 0

  init(
    _ prescriptions: [ImportPrescription], patient: PatientID, checker: MedicineChecker,
    in reader: any SQLReader
  ) throws {
    rest = max(0, prescriptions.count - Self.most)
    var incoming: [IncomingMedicine] = []
    var places: [(number: Int, place: Int)] = []
    var copies: [[String]: [Int]] = [:]
    for prescription in prescriptions.prefix(Self.most) {
      guard let one = try IncomingMedicine(prescription, patient: patient, in: reader) else {
        continue
      }
      // If a file repeats a medicine, only the first two copies are checked against each other; the rest
      // share the second result. Checking every pair would give 160,000 findings for 400 copies.
      if let key = one.copyKey {
        if let checked = copies[key], checked.count > 1 {
          places.append((prescription.number, checked[1]))
          continue
        }
        copies[key, default: []].append(incoming.count)
      }
      places.append((prescription.number, incoming.count))
      incoming.append(one)
    }
    let found = try checker.check(incoming, in: reader)
    for (number, place) in places { checks[number] = found[place] }
  }

  /// The number of warnings, each counted once.
  var count: Int {
    Set(checks.values.flatMap(\.questions).map(\.key)).count
      + checks.values.reduce(0) { $0 + $1.ageContraindications.count }
  }
}
