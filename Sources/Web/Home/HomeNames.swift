// SPDX-License-Identifier: Apache-2.0

/// The names and addresses under which browsers may reach this server, as its certificate lists
/// them.
package struct HomeNames: Sendable, Hashable {
  /// The host names in lower case, sorted.
  let hosts: [String]
  /// The addresses, sorted, including this machine's loopback.
  let addresses: [NetworkAddress]

  /// Creates the names from everything by which the machine can be reached, and the host of the
  /// public address.
  ///
  /// Link-local IPv6 addresses are left out: browsers cannot open them.
  init(of machine: HomeMachine, publicHost: String?) {
    var hosts: Set = ["localhost"]
    if let name = Self.hostName(machine.hostName) {
      hosts.insert(name)
      let label = String(name.prefix { $0 != "." })
      hosts.insert(label)
      if label != "localhost" { hosts.insert("\(label).local") }
    }
    var addresses = Set(["127.0.0.1", "::1"].compactMap { NetworkAddress($0) })
    addresses.formUnion(machine.interfaces.map(\.address).filter(Self.isReachable))
    switch publicHost.flatMap(PublicHost.init) {
    case .address(let address): addresses.insert(address)
    case .name(let name): hosts.insert(name)
    case nil: break
    }
    self.init(hosts: hosts, addresses: addresses)
  }

  init(hosts: Set<String>, addresses: Set<NetworkAddress>) {
    self.hosts = hosts.sorted()
    self.addresses = addresses.sorted()
  }

  /// Returns the host for other devices of the home, in URL notation: an address, which works even
  /// if the home has no name server.
  ///
  /// The machine's own address goes first: others may be networks of virtual machines.
  func hostForOtherDevices(of machine: HomeMachine) -> String {
    if let own = machine.ownAddress, !own.isLoopback, addresses.contains(own) {
      return own.urlText
    }
    return addresses.first { !$0.isLoopback }?.urlText ?? "localhost"
  }

  /// Returns the names and addresses that an authority may certify.
  func within(_ scope: HomeScope) -> HomeNames {
    HomeNames(
      hosts: Set(hosts.filter(scope.permits)), addresses: Set(addresses.filter(scope.permits)))
  }

  /// Returns a name in the form of certificates: lower-case letters, digits and hyphens between
  /// dots; nil for anything else.
  static func hostName(_ text: String) -> String? {
    let name = (text.hasSuffix(".") ? String(text.dropLast()) : text).lowercased()
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    guard name.utf8.count <= 253, !labels.isEmpty, NetworkAddress(name) == nil,
      labels.allSatisfy({ label in
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
          && label.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
              || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
          }
      })
    else { return nil }
    return name
  }

  private static func isReachable(_ address: NetworkAddress) -> Bool {
    let linkLocal = NetworkRange("fe80::/10")
    let multicast = [NetworkRange("224.0.0.0/4"), NetworkRange("ff00::/8")]
    return linkLocal?.contains(address) != true
      && !multicast.contains { $0?.contains(address) == true }
  }
}

/// The host of a public address: a name or an address.
enum PublicHost: Sendable, Hashable {
  case name(String)
  case address(NetworkAddress)

  init?(_ text: String) {
    if let address = NetworkAddress(text) {
      self = .address(address)
    } else if let name = HomeNames.hostName(text) {
      self = .name(name)
    } else {
      return nil
    }
  }
}
