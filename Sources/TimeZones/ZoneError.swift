// SPDX-License-Identifier: Apache-2.0

/// A time zone that could not be loaded; the text is the requested identifier.
public enum ZoneError: Error, Hashable, Sendable {
  /// There is no such zone.
  ///
  /// Offer one of `ZoneCatalog.identifiers`.
  case unknown(String)
  /// The zone's file exists but cannot be read.
  ///
  /// Check the permissions of the zone directory.
  case unreadable(String)
  /// The zone's file is not a zone file of versions 1 to 4. Install the tzdata package again.
  case malformed(String)
}
