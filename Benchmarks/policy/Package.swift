// swift-tools-version: 6.1
import PackageDescription

// Only the policy, so that it builds in seconds.
let package = Package(
  name: "policy-bench",
  targets: [
    .target(name: "Access", swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(name: "policy-bench", dependencies: ["Access"]),
  ]
)
