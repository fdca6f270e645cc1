// swift-tools-version: 6.1
import PackageDescription

// Only the name index, so that it builds in seconds.
let package = Package(
  name: "search-bench",
  targets: [
    .target(name: "Knowledge", swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(name: "search-bench", dependencies: ["Knowledge"]),
  ]
)
