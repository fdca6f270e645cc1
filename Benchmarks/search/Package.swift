// swift-tools-version: 6.1
import PackageDescription

// The name index alone, so that it is built in seconds.
let package = Package(
  name: "search-bench",
  targets: [
    .target(name: "Knowledge", swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(name: "search-bench", dependencies: ["Knowledge"]),
  ]
)
