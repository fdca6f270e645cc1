// SPDX-License-Identifier: Apache-2.0

import Storage

extension SignInThrottle.Bucket {
  /// Returns the bucket of the sign-ups of one sender: a network or an invitation.
  ///
  /// A successful sign-in does not reset the count: it would let a sender test which addresses have accounts.
  /// The wait grows up to a day.
  static func signUps(_ key: [UInt8], free: Int64) -> SignInThrottle.Bucket {
    SignInThrottle.Bucket(
      key: key, free: free, isClearedBySuccess: false, longestWait: 24 * 3_600_000)
  }

  /// Returns the bucket of all sign-ups together, which allows a hundred, and then about one a minute.
  static func allSignUps(_ key: [UInt8]) -> SignInThrottle.Bucket {
    SignInThrottle.Bucket(key: key, free: 100, isClearedBySuccess: false, leak: 1)
  }
}

extension AccountStore {
  /// Returns the buckets in which a sign-up is counted before its address is checked.
  ///
  /// - Parameters:
  ///   - code: the invitation code that was presented; nil if none is needed.
  ///   - network: the network that the request comes from; nil if it is not known.
  package func signUpBuckets(
    code: InvitationCode?, from network: String?
  ) -> [SignInThrottle.Bucket] {
    [code].compactMap(\.self).map { .signUps(attemptKey("sign-up-code", $0.folded), free: 5) }
      + [network].compactMap(\.self).map { .signUps(attemptKey("sign-up", $0), free: 10) }
      + [.allSignUps(attemptKey("sign-up-everywhere", ""))]
  }

  /// Returns the buckets for invitation codes typed by people who are not signed in.
  package func strangerCodeBuckets(from network: String?) -> [SignInThrottle.Bucket] {
    [network].compactMap(\.self).map { .origin(attemptKey("code-network", $0)) }
      + [.everywhere(attemptKey("code-everywhere", ""))]
  }
}
