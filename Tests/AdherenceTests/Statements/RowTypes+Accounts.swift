// SPDX-License-Identifier: Apache-2.0

@testable import Accounts
@testable import Calendar
@testable import CareTeam
@testable import HeartRate
@testable import HomeAutomation
@testable import Prescriptions
@testable import Records
@testable import Statistics
@testable import Storage
@testable import Web

extension RowTypes {
  /// The row types of accounts, of records and of the server, and of data that ends with an account.
  static var ofAccounts: [any SQLRowType.Type] {
    [
      AccountNameRow.self, AccountRow.self, AddressProofRow.self, AnswerPageRow.self, App.self,
      AppCodeRow.self, AppGrant.self, AppKeyRow.self, AppNameRow.self, AppTokenRow.self,
      ConnectedApp.self,
      NewAppCodeRow.self, NewAppGrantRow.self, NewAppTokenRow.self, OpenAppTokenRow.self,
      AttemptsRow.self, CDSClient.self, CalendarFeedRow.self, CodeAppRow.self,
      CopiedSessionRow.self, CopiedTokenRow.self, DeviceSecretRow.self, DeviceSignInRow.self,
      EmergencyAccess.self,
      FeedbackRow.self, FoundRecordRow.self, GlanceOwnerRow.self, GlanceRow.self, HomeLinkRow.self,
      GrantInvitationRow.self, GrantRow.self, GrantedRightRow.self, IdentityOfferRow.self,
      IdentityOwnerRow.self, IdentityRow.self, KeptAnswerRow.self, ListedUploadRow.self,
      NewAccountRow.self, NewAddressProofRow.self, NewGrantInvitationRow.self,
      NewIdentityOfferRow.self, NewPasskeyRow.self, NewReportLinkRow.self, NewResourceRow.self,
      NewSessionRow.self, NewSharedResourceRow.self, NewTokenRow.self, NudgeRow.self,
      NudgedDoseRow.self, OpenSessionRow.self, OpenTokenRow.self, Passkey.self, PasskeyKeyRow.self,
      PasswordRow.self, PendingSignInRow.self, Practitioner.self, PractitionerProfile.self,
      ProviderVisitRow.self, RecordDeletionRow.self, RecordIndexStateRow.self, RecordTextRow.self,
      RecordTrailRow.self, ReportLinkRow.self, SealedAddressRow.self, SecondFactorState.self,
      SessionListing.self, SharedDeletionRow.self, SharedRecordRow.self, SortKeyRow.self,
      StickerRow.self,
      StoredRecord.self, TokenListing.self, UploadPieceRow.self, WaitingCodeRow.self,
      WidgetAddressRow.self,
    ]
  }
}
