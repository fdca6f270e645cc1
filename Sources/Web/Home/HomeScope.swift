// SPDX-License-Identifier: Apache-2.0

import SwiftASN1
import X509

/// The names and addresses that a home authority may certify, fixed when it is created: name
/// constraints (RFC 5280, 4.2.1.10).
///
/// Devices trust the authority for this home only: a thief of its key cannot impersonate a bank.
struct HomeScope: Sendable, Hashable {
  /// The domains; each includes the names below it.
  let domains: [String]
  let ranges: [NetworkRange]

  /// Creates the scope of a new authority: names that exist only within homes, private addresses,
  /// the machine's own names and networks, and the host of the public address.
  init(of machine: HomeMachine, publicHost: String?) {
    var domains: Set = ["localhost", "local", "lan", "home", "internal", "home.arpa"]
    var ranges = NetworkRange.householdRanges
    let names = HomeNames(of: machine, publicHost: publicHost)
    for host in names.hosts where !Self.covers(domains, host) { domains.insert(host) }
    for interface in machine.interfaces where names.addresses.contains(interface.address) {
      Self.add(interface, to: &ranges)
    }
    for address in names.addresses where !ranges.contains(where: { $0.contains(address) }) {
      ranges.append(NetworkRange(around: address, prefixLength: address.bytes.count * 8))
    }
    self.domains = domains.sorted()
    self.ranges = ranges
  }

  /// Adds the network around a public address, if it is small enough to be this home's own.
  private static func add(_ interface: HomeMachine.Interface, to ranges: inout [NetworkRange]) {
    let address = interface.address
    guard !ranges.contains(where: { $0.contains(address) }) else { return }
    let smallest = address.isIPv6 ? 56 : 22
    ranges.append(
      NetworkRange(
        around: address,
        prefixLength: interface.prefixLength >= smallest
          ? interface.prefixLength : address.bytes.count * 8))
  }

  /// Reads the scope of an authority; nil if it has none.
  init?(of certificate: Certificate) {
    guard let constraints = try? certificate.extensions.nameConstraints else { return nil }
    domains = Array(constraints.permittedDNSDomains)
    ranges = constraints.permittedIPRanges.compactMap {
      NetworkRange(constraintBytes: Array($0.bytes))
    }
    guard !domains.isEmpty, !ranges.isEmpty else { return nil }
  }

  func permits(_ host: String) -> Bool { Self.covers(Set(domains), host) }

  func permits(_ address: NetworkAddress) -> Bool {
    ranges.contains { $0.contains(address) }
  }

  var constraints: NameConstraints {
    NameConstraints(
      permittedDNSDomains: domains,
      permittedIPRanges: ranges.map { ASN1OctetString(contentBytes: $0.constraintBytes[...]) })
  }

  private static func covers(_ domains: Set<String>, _ host: String) -> Bool {
    var rest = host[...]
    while true {
      if domains.contains(String(rest)) { return true }
      guard let dot = rest.firstIndex(of: ".") else { return false }
      rest = rest[rest.index(after: dot)...]
    }
  }
}
