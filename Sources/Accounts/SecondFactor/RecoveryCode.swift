// SPDX-License-Identifier: Apache-2.0

/// A code for signing in when everything else is lost; it has the form of an invitation's code.
package typealias RecoveryCode = InvitationCode
