// SPDX-License-Identifier: Apache-2.0

/// The hosts to which requests are allowed.
///
/// Addresses come from people and other servers, so a host must be listed, and the addresses it
/// resolves to are checked again before connecting (OWASP ASVS 5.0 1.3.6).
package struct OutboundPolicy: Sendable {
  private let allowed: [HostRule]
  private let operatorAllowed: [HostRule]
  private let allowsAnyPublicHost: Bool

  /// Creates a policy.
  ///
  /// - Parameters:
  package init(
    allowed: [HostRule], operatorAllowed: [HostRule], allowsAnyPublicHost: Bool = false
  ) {
    self.allowsAnyPublicHost = allowsAnyPublicHost
    self.allowed = allowed
    self.operatorAllowed = operatorAllowed
  }

  /// Returns an address that is allowed, without resolving its name.
  ///
  /// Throws ``OutboundError/notAllowed(_:)`` otherwise.
  package func check(_ url: String) throws(OutboundError) -> CheckedURL {
    let parts = try AddressParts(url)
    let trust: CheckedURL.Trust
    switch judge(isSecure: parts.isSecure, host: parts.host, port: parts.port) {
    case .success(let granted): trust = granted
    case .failure(let refusal): throw .notAllowed(refusal)
    }
    return CheckedURL(
      isSecure: parts.isSecure, host: parts.host, port: parts.port, target: parts.target,
      trust: trust)
  }

  /// Returns true if an address checked by this or another policy is allowed by this one.
  func permits(_ url: CheckedURL) -> Bool {
    guard case .success(let trust) = judge(isSecure: url.isSecure, host: url.host, port: url.port)
    else { return false }
    return trust == .operatorNamed || url.trust == .publicOnly
  }

  /// Returns the configured name for the host of an address, or nil if neither the operator nor
  /// this program named it.
  func configuredName(of url: CheckedURL) -> String? {
    (operatorAllowed + allowed).first {
      $0.matches(url.host, port: url.port, standardPort: url.standardPort)
    }.map { rule in
      switch rule.pattern {
      case .host: url.hostText
      case .below(let parent): "*.\(parent)"
      }
    }
  }

  private func judge(
    isSecure: Bool, host: OutboundHost, port: Int
  ) -> Result<CheckedURL.Trust, OutboundRefusal> {
    let standardPort = isSecure ? 443 : 80
    if operatorAllowed.contains(where: {
      $0.matches(host, port: port, standardPort: standardPort)
    }) {
      return isSecure || host.isLoopback || allowsAnyPublicHost
        ? .success(.operatorNamed) : .failure(.scheme)
    }
    guard isSecure else { return .failure(.scheme) }
    guard case .name = host else { return .failure(.literalAddress) }
    guard
      allowsAnyPublicHost
        || allowed.contains(where: { $0.matches(host, port: 443, standardPort: 443) })
    else {
      return .failure(.hostNotListed)
    }
    return port == 443 ? .success(.publicOnly) : .failure(.port)
  }
}
