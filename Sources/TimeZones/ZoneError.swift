// SPDX-License-Identifier: Apache-2.0

/// Why a zone is not to be had; the text is the identifier that was asked for.
public enum ZoneError: Error, Hashable, Sendable {
  /// No such zone, or not the identifier of one. Offer one of `ZoneCatalog.identifiers`.
  case unknown(String)
  /// The zone's file exists and cannot be read. Look at the permissions of the zone directory.
  case unreadable(String)
  /// The zone's file is not a zone file of versions 1 to 4. Install the tzdata package again.
  case malformed(String)
}
