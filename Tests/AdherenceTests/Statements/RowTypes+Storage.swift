// SPDX-License-Identifier: Apache-2.0

@testable import Exchange
@testable import Storage

extension RowTypes {
  /// The row types of the storage itself and of the exchange with hospitals.
  static var ofStorage: [any SQLRowType.Type] {
    [
      AppliedStep.self, AuditHead.self, AuditHeadRow.self, AuditProofRow.self, AuditRow.self,
      BackupRunRow.self, DeletedAnswerRow.self, DurabilityRow.self, HospitalComparisonRow.self,
      HospitalConnectionRow.self, HospitalMarkRow.self, HospitalMedicineRow.self,
      HospitalVisitRow.self, NewAnswerRow.self, NewHospitalConnectionRow.self, OutboxClaimRow.self,
      OutboxLineRow.self, OutboxStateRow.self, PostgresCheckRow.self, PostgresColumnRow.self,
      PostgresIndexRow.self, PostgresKeyRow.self, QueuedAnswerRow.self, SQLiteColumnRow.self,
      SQLiteKeyRow.self, SyncClaimRow.self,
    ]
  }
}
