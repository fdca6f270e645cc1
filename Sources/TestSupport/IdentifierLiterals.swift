// SPDX-License-Identifier: Apache-2.0
import Identifiers

/// Lets tests write identifiers as string literals; the program creates them only from input.
extension Identifier {
  /// Creates an identifier from a string literal.
  package init(stringLiteral text: String) { self.init(text) }
}

extension AccountID: ExpressibleByStringInterpolation {}
extension AdministrationID: ExpressibleByStringInterpolation {}
extension AlarmID: ExpressibleByStringInterpolation {}
extension AlertID: ExpressibleByStringInterpolation {}
extension AnswerID: ExpressibleByStringInterpolation {}
extension AppGrantID: ExpressibleByStringInterpolation {}
extension AppID: ExpressibleByStringInterpolation {}
extension ConnectionID: ExpressibleByStringInterpolation {}
extension ConversationID: ExpressibleByStringInterpolation {}
extension DeliveryID: ExpressibleByStringInterpolation {}
extension DeviceID: ExpressibleByStringInterpolation {}
extension DispenseID: ExpressibleByStringInterpolation {}
extension EmergencyID: ExpressibleByStringInterpolation {}
extension EventSubscriptionID: ExpressibleByStringInterpolation {}
extension GlanceID: ExpressibleByStringInterpolation {}
extension HomeDeviceID: ExpressibleByStringInterpolation {}
extension InvitationID: ExpressibleByStringInterpolation {}
extension LotID: ExpressibleByStringInterpolation {}
extension MessageID: ExpressibleByStringInterpolation {}
extension PasskeyID: ExpressibleByStringInterpolation {}
extension PatientID: ExpressibleByStringInterpolation {}
extension PlanID: ExpressibleByStringInterpolation {}
extension ProposalID: ExpressibleByStringInterpolation {}
extension ReminderID: ExpressibleByStringInterpolation {}
extension ReportLinkID: ExpressibleByStringInterpolation {}
extension SessionID: ExpressibleByStringInterpolation {}
extension StudyID: ExpressibleByStringInterpolation {}
extension StudyPseudonym: ExpressibleByStringInterpolation {}
extension StockID: ExpressibleByStringInterpolation {}
extension TrackerID: ExpressibleByStringInterpolation {}
extension WarningID: ExpressibleByStringInterpolation {}
extension WordingID: ExpressibleByStringInterpolation {}
