// SPDX-License-Identifier: Apache-2.0

/// A code for the day on which everything else is lost; it has the form of an invitation's code.
package typealias RecoveryCode = InvitationCode
