// swift-tools-version: 6.1
import PackageDescription

/// The settings with which every target of ours is compiled.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Links a smaller program: no symbols are exported, and lld packs the relocations (glibc 2.36 reads them).
let smallRelease = LinkerSetting.unsafeFlags(
  [
    "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-Xlinker",
    "--no-export-dynamic",
  ], .when(configuration: .release))

extension Target.Dependency {
  static let asyncHTTPClient = product(name: "AsyncHTTPClient", package: "async-http-client")
  static let argumentParser = product(name: "ArgumentParser", package: "swift-argument-parser")
  static let configuration = product(name: "Configuration", package: "swift-configuration")
  static let coreMetrics = product(name: "CoreMetrics", package: "swift-metrics")
  static let crypto = product(name: "Crypto", package: "swift-crypto")
  static let cryptoExtras = product(name: "CryptoExtras", package: "swift-crypto")
  static let grdb = product(name: "GRDB", package: "GRDB.swift")
  static let grdbSQLite = product(name: "GRDBSQLite", package: "GRDB.swift")
  static let httpTypes = product(name: "HTTPTypes", package: "swift-http-types")
  static let hummingbird = product(name: "Hummingbird", package: "hummingbird")
  static let hummingbirdCore = product(name: "HummingbirdCore", package: "hummingbird")
  static let hummingbirdTesting = product(name: "HummingbirdTesting", package: "hummingbird")
  static let jwtKit = product(name: "JWTKit", package: "jwt-kit")
  static let lifecycle = product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
  static let logging = product(name: "Logging", package: "swift-log")
  static let nio = product(name: "NIOCore", package: "swift-nio")
  static let nioEmbedded = product(name: "NIOEmbedded", package: "swift-nio")
  static let nioPosix = product(name: "NIOPosix", package: "swift-nio")
  static let nioSSL = product(name: "NIOSSL", package: "swift-nio-ssl")
  static let nioHTTP1 = product(name: "NIOHTTP1", package: "swift-nio")
  static let swiftASN1 = product(name: "SwiftASN1", package: "swift-asn1")
  static let unixSignals = product(name: "UnixSignals", package: "swift-service-lifecycle")
  static let system = product(name: "SystemPackage", package: "swift-system")
  static let x509 = product(name: "X509", package: "swift-certificates")
}

/// The dependencies of modules that keep records of patients.
let record: [Target.Dependency] = [
  "Identifiers", "FHIR", "Scheduling", "TimeZones", "Localization", "Access", "Storage",
]

/// The dependencies of modules that also know people and their accounts.
let people: [Target.Dependency] = record + ["Accounts", "People"]

/// The dependencies of modules that serve pages.
let page: [Target.Dependency] = [
  "HTML", "SiteMap", "Web", "Presentation", .httpTypes, .hummingbird, .nio,
]

/// A module, as the table in ARCHITECTURE.md lists it.
func module(
  _ name: String, _ dependencies: [Target.Dependency] = [], embedding folder: String? = nil,
  plugins: [Target.PluginUsage] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, exclude: folder.map { [$0] } ?? [],
    swiftSettings: strict, plugins: plugins + (folder == nil ? [] : ["EmbedResources"]))
}

/// The tests beside a module.
func tests(
  _ name: String, _ dependencies: [Target.Dependency], reading files: [String] = []
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: dependencies, exclude: files, swiftSettings: strict)
}

let package = Package(
  name: "regimen",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "regimen", targets: ["RegimenCLI"]),
    .library(
      name: "Regimen",
      targets: ["FHIR", "Scheduling", "TimeZones", "Localization", "Instructions"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
    .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
    .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
  ],
  targets: [
    .executableTarget(name: "embed-resources", swiftSettings: strict),
    .plugin(name: "EmbedResources", capability: .buildTool(), dependencies: ["embed-resources"]),
    .plugin(name: "EmbedVersion", capability: .buildTool(), dependencies: ["embed-resources"]),

    module("FHIR"),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    module("FHIRXML", ["FHIR", "CExpat"]),
    module("Scheduling"),
    module("TimeZones", ["Scheduling"]),
    module("HeartRateMonitoring"),
    module("Localization", embedding: "Catalogues"),
    module("Instructions", ["FHIR", "Scheduling", "Localization"]),
    module("HTML"),
    module("SiteMap"),
    module("Knowledge", ["Localization"], embedding: "Catalogues"),
    module("Identifiers"),
    module("Encodings"),
    module("Access", ["Identifiers"]),
    module("Secrecy", ["Encodings"]),
    module("Telemetry", [.coreMetrics]),
    .systemLibrary(
      name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    .systemLibrary(name: "CJPEG", pkgConfig: "libjpeg", providers: [.apt(["libjpeg-dev"])]),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    // Loads shared libraries on first use.
    .target(name: "CLazy"),
    .target(name: "CPango", dependencies: ["CLazy"]),
    .target(name: "CLibPQ", dependencies: ["CLazy"]),
    .target(name: "CMosquitto", dependencies: ["CLazy"]),
    .systemLibrary(name: "CMalloc"),
    .systemLibrary(name: "CSQLite"),
    module("MQTT", ["Secrecy", "CMosquitto"]),
    module("Media", ["CQREncode", "CJPEG", "CPNG", "CPango"]),
    module(
      "Storage",
      [
        "Identifiers", "Encodings", "Secrecy", "CLibPQ", "CSQLite", .grdb, .grdbSQLite, .crypto,
        .cryptoExtras, .logging,
      ],
      embedding: "Migrations"),
    module("Records", ["Identifiers", "FHIR", "Storage", "Access"]),
    module(
      "Accounts",
      [
        "Identifiers", "Encodings", "FHIR", "Secrecy", "Records", "Storage", "Access",
        "Localization", .crypto, .cryptoExtras, .jwtKit,
      ]),
    module("People", record + ["Knowledge", "Records", "Accounts"]),
    module("Plans", record + ["Knowledge", "Records", "People"]),
    module("Dosing", record + ["Knowledge", "Records", "People", "Plans"]),
    module("Reminders", people + ["Encodings", "Secrecy", "Plans"]),
    module(
      "Observations",
      ["Identifiers", "FHIR", "Scheduling", "Access", "Storage", "Records", "People", "Plans"]),
    module(
      "HeartRate",
      people + ["HeartRateMonitoring", "Plans", "Dosing", "Reminders", "Observations"]),
    module(
      "HomeDevices",
      [
        "Identifiers", "Encodings", "FHIR", "Scheduling", "TimeZones", "Access", "Storage",
        "Records", "Accounts", "People", "Plans", "Dosing", "Reminders", .crypto,
      ]),
    module(
      "Prescriptions",
      people + ["Encodings", "Knowledge", "Records", "Plans", "Dosing", "Observations"]),
    module("Supply", record + ["Records", "People", "Plans", "Dosing", "Reminders"]),
    module("Statistics", people + ["Plans", "Dosing", "Observations", "HeartRate"]),
    module(
      "Diary",
      people + [
        "Encodings", "Knowledge", "Records", "Plans", "Dosing", "Reminders", "Observations",
        "Statistics",
      ]),
    module(
      "Studies",
      people + [
        "Encodings", "Records", "Plans", "Dosing", "Reminders", "Observations", "HeartRate",
        "Statistics", "Diary", .crypto,
      ]),
    module(
      "HomeAutomation",
      people + ["Encodings", "Secrecy", "Plans", "Dosing", "Supply", "Statistics", "MQTT"]),
    module(
      "Calendar",
      [
        "Identifiers", "Encodings", "Scheduling", "TimeZones", "Localization", "Access", "Storage",
        "Accounts", "People", "Plans", "Dosing", "Reminders",
      ]),
    module(
      "CareTeam",
      people + [
        "Encodings", "Plans", "Dosing", "Reminders", "HeartRate", "Prescriptions", "Supply",
        "Statistics",
      ]),
    module(
      "Adherence",
      [
        "HomeAutomation", "Identifiers", "FHIR", "Scheduling", "TimeZones", "Storage", "Accounts",
        "People", "Plans", "Dosing", "Reminders", "HeartRate", "Prescriptions", "Supply",
        "Statistics", "Diary", "Calendar", "CareTeam",
      ]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    module("HealthData", ["FHIR", "CZlib", .grdbSQLite]),
    module(
      "Outbound", ["Secrecy", .asyncHTTPClient, .nio, .nioHTTP1, .nioPosix, .nioSSL, .logging]),
    module(
      "Channels", ["Identifiers", "Encodings", "Secrecy", "Outbound", "Localization", .crypto]),
    module(
      "Exchange",
      [
        "Identifiers", "Encodings", "FHIR", "Access", "Secrecy", "Storage", "Accounts", "People",
        "Plans", "Observations", "Prescriptions", "Outbound", .logging,
      ]),
    module(
      "Web",
      people + [
        "Encodings", "HTML", "SiteMap", "Media", "Secrecy", "Records", "Telemetry", "CZlib",
        .coreMetrics, .crypto, .httpTypes, .hummingbird, .hummingbirdCore, .lifecycle, .logging,
        .nio, .nioHTTP1, .nioSSL, .swiftASN1, .x509,
      ], embedding: "Assets", plugins: ["EmbedVersion"]),
    module(
      "Presentation",
      people + [
        "Encodings", "Instructions", "HTML", "SiteMap", "Knowledge", "Media", "Records", "Plans",
        "Dosing", "Reminders", "HomeDevices", "Observations", "Prescriptions", "Supply",
        "Statistics", "Diary", "Calendar", "HealthData", "Outbound", "Channels", "Web", .httpTypes,
        .hummingbird, .nio,
      ]),
    module(
      "MedicinePages",
      people + page + [
        "Encodings", "HeartRateMonitoring", "Knowledge", "Media", "Records", "Plans", "Dosing",
        "Reminders", "Observations", "Prescriptions", "Supply", "Statistics", "Diary", "Calendar",
      ]),
    module(
      "DosePages",
      page + [
        "HomeAutomation", "Identifiers", "Encodings", "FHIR", "Scheduling", "Localization",
        "Access", "Media", "Storage", "Records", "Accounts", "People", "Plans", "Dosing",
        "Reminders", "HomeDevices", "Prescriptions", "Calendar", "Outbound", "Channels", .logging,
      ]),
    module(
      "ImportPages",
      people + [
        "Encodings", "HTML", "SiteMap", "Knowledge", "Plans", "Dosing", "Observations",
        "Prescriptions", "Supply", "HealthData", "Exchange", "Web", "Presentation", "CZlib",
        .httpTypes, .hummingbird, .lifecycle, .logging,
      ]),
    module(
      "ReportPages",
      page + [
        "Identifiers", "FHIR", "Scheduling", "HeartRateMonitoring", "Localization", "Access",
        "Media", "Storage", "Records", "Accounts", "People", "Plans", "Dosing", "Reminders",
        "Observations", "HeartRate", "Statistics", "Diary", .lifecycle, .logging,
      ]),
    module(
      "CareTeamPages",
      people + page + [
        "Knowledge", "Media", "Plans", "Dosing", "Reminders", "Observations", "HeartRate",
        "Prescriptions", "Supply", "Statistics", "Calendar", "CareTeam", .hummingbirdCore,
        .lifecycle, .logging,
      ]),
    module(
      "AccountPages",
      people + page + [
        "Encodings", "Knowledge", "Media", "Secrecy", "Records", "Plans", "Dosing", "Reminders",
        "Observations", "Studies", "CareTeam", "Outbound", "Channels", .lifecycle, .logging,
      ]),
    module(
      "FHIRAPI",
      [
        "Identifiers", "Encodings", "FHIR", "FHIRXML", "Localization", "Instructions", "HTML",
        "Access", "Storage", "Records", "Accounts", "People", "Plans", "Dosing", "Observations",
        "Prescriptions", "Supply", "CareTeam", "HealthData", "Outbound", "Channels", "Web",
        "Presentation", "ReportPages", "Diary", .httpTypes, .hummingbird, .lifecycle, .logging,
        .nio,
      ]),
    module(
      "JSONAPI",
      people + [
        "HomeAutomation", "Knowledge", "Statistics", "Diary", "Studies", "HeartRateMonitoring",
        "SiteMap",
        "Records", "Plans", "Dosing", "Reminders", "HomeDevices", "Observations", "HeartRate",
        "Prescriptions", "Supply", "CareTeam", "HealthData", "Outbound", "Channels", "Web",
        "Presentation", "ImportPages", "ReportPages", "CareTeamPages", .httpTypes, .hummingbird,
        .hummingbirdCore, .lifecycle, .nio,
      ]),
    module(
      "Operations",
      people + page + [
        "MQTT", "HomeAutomation", "Diary", "Studies", "Encodings", "HeartRateMonitoring",
        "Knowledge",
        "Records", "Plans", "Dosing", "Reminders", "HomeDevices", "Observations", "HeartRate",
        "Prescriptions", "Supply", "CareTeam", "Adherence", "HealthData", "Outbound", "Channels",
        "AccountPages", "Telemetry", .coreMetrics, .hummingbirdCore, .lifecycle, .logging,
      ]),
    module(
      "Server",
      [
        "Identifiers", "SiteMap", "Storage", "Records", "Accounts", "Plans", "Reminders",
        "Prescriptions", "Supply", "Statistics", "Calendar", "Adherence", "Exchange", "Web",
        "Presentation", "MedicinePages", "DosePages", "ImportPages", "ReportPages", "CareTeamPages",
        "AccountPages", "FHIRAPI", "JSONAPI", "Operations", "Telemetry", .httpTypes, .hummingbird,
        .hummingbirdCore, .lifecycle, .logging, .nio,
      ]),
    .executableTarget(
      name: "RegimenCLI",
      dependencies: people + [
        "MQTT", "HomeAutomation", "Diary", "Studies", "HeartRateMonitoring", "Instructions",
        "Knowledge",
        "Media", "Secrecy", "Records", "Plans", "Reminders", "HomeDevices", "Prescriptions",
        "Adherence", "HealthData", "Outbound", "Channels", "Exchange", "Web", "Presentation",
        "ImportPages", "AccountPages", "Operations", "Server", "CMalloc", .argumentParser,
        .configuration, .lifecycle, .logging, .system, .unixSignals,
      ], swiftSettings: strict, linkerSettings: [smallRelease], plugins: ["EmbedVersion"]),
    module(
      "TestSupport", record + ["Records", "People", "Plans", "Dosing", "Adherence", .logging]),

    tests("EmbedResources", ["embed-resources", "TestSupport"]),
    tests("FHIR", ["FHIR", "FHIRXML", "Identifiers", "TestSupport"]),
    tests("Scheduling", ["Scheduling", "TimeZones", "FHIR", "Identifiers", "TestSupport"]),
    tests("TimeZones", ["TimeZones", "Scheduling"]),
    tests("HeartRateMonitoring", ["HeartRateMonitoring"]),
    tests("Localization", ["Localization"], reading: ["plural-classes.txt"]),
    tests("HTML", ["HTML"]),
    tests("Knowledge", ["Knowledge", "Localization"]),
    tests(
      "Instructions", ["Instructions", "FHIR", "Identifiers", "Localization", "TestSupport"],
      reading: ["Golden"]),
    tests("Access", ["Access", "Identifiers", "TestSupport"]),
    tests("Secrecy", ["Secrecy"]),
    tests("Telemetry", ["Telemetry", .coreMetrics]),
    tests("Encodings", ["Encodings"]),
    tests("Identifiers", ["Identifiers"]),
    tests("Media", ["Media"]),
    tests(
      "HealthData", ["HealthData", "CZlib", "FHIR", "Identifiers", "TestSupport", .grdbSQLite]),
    tests(
      "Outbound",
      ["Outbound", .nio, .nioHTTP1, .nioPosix, .nioSSL, .x509, .swiftASN1, .crypto, .logging]),
    tests(
      "Channels",
      ["Channels", "Encodings", "Identifiers", "Localization", "Outbound", "Secrecy", .crypto]),
    tests("MQTT", ["MQTT", "Secrecy"]),
    tests(
      "HomeAutomation",
      [
        "HomeAutomation", "Identifiers", "FHIR", "Scheduling", "Localization", "Statistics",
        "Storage", "Plans", "MQTT", "TestSupport",
      ]),
    tests(
      "Exchange",
      [
        "Identifiers", "Encodings", "FHIR", "Access", "Storage", "Accounts", "People", "Plans",
        "Dosing", "Prescriptions", "Supply", "Adherence", "Exchange", "TestSupport", .crypto,
        .logging,
      ]),
    tests("Storage", ["Storage", "Identifiers", "TestSupport", .logging], reading: ["Releases"]),
    tests(
      "Records", ["Records", "Identifiers", "FHIR", "Storage", "Access", "TestSupport", .logging]),
    tests(
      "Accounts",
      [
        "Accounts", "Identifiers", "Encodings", "FHIR", "Storage", "Access", "TestSupport", .crypto,
        .logging,
      ]),
    tests(
      "Adherence",
      people + [
        "HomeAutomation", "Studies", "Encodings", "HeartRateMonitoring", "Knowledge", "Records",
        "Plans", "Dosing", "Reminders", "HomeDevices", "Observations", "HeartRate", "Prescriptions",
        "Supply", "Statistics", "Diary", "Calendar", "CareTeam", "Adherence", "Exchange", "Web",
        "TestSupport", .crypto,
      ]),
    tests(
      "Server",
      people + page + [
        "MQTT", "HomeAutomation", "Studies", "Encodings", "FHIRXML", "HeartRateMonitoring",
        "Knowledge", "Media", "Secrecy", "Records", "Plans", "Dosing", "Reminders", "HomeDevices",
        "Observations", "HeartRate", "Prescriptions", "Supply", "Statistics", "Diary", "Calendar",
        "CareTeam", "Adherence", "HealthData", "Outbound", "Channels", "Exchange", "MedicinePages",
        "DosePages", "ImportPages", "ReportPages", "CareTeamPages", "AccountPages", "FHIRAPI",
        "JSONAPI", "Operations", "Server", "Telemetry", "TestSupport", .crypto, .hummingbirdTesting,
        .logging, .nioHTTP1, .swiftASN1, .x509, .nioEmbedded,
      ]),
  ]
)
