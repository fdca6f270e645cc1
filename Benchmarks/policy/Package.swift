// swift-tools-version: 6.1
import PackageDescription

// The policy alone, so that it is built in seconds.
let package = Package(
  name: "policy-bench",
  targets: [
    .target(name: "Access", swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(name: "policy-bench", dependencies: ["Access"]),
  ]
)
