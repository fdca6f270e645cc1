// SPDX-License-Identifier: Apache-2.0

import Accounts
import Calendar
import CareTeam
import HeartRate
import HomeAutomation
import Identifiers
import Statistics
import Storage

/// Consequences of account changes for the tables of the domain: secret addresses end, names are removed.
package struct AdherenceAccountConsequence: AccountConsequence {
  /// Creates the consequence.
  package init() {}

  /// Ends the account's addresses of calendars, widgets and reports, which need no sign-in, and what it shows in
  /// Home Assistant.
  package func passwordWasReplaced(
    of account: AccountID, in writer: any SQLWriter
  ) throws(StorageError) {
    try CalendarFeeds.revoke(of: account, in: writer)
    try Glances.remove(of: account, in: writer)
    try WidgetAddresses.end(of: account, in: writer)
    try HomeLinkStore.end(of: account, in: writer)
    try ReportLinks.remove(of: account, in: writer)
  }

  /// Removes the account's name from the nudges that it sent.
  package func willErase(_ account: AccountID, in writer: any SQLWriter) throws(StorageError) {
    try Nudges.removeName(of: account, in: writer)
  }
}
