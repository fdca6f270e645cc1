// SPDX-License-Identifier: Apache-2.0
import Foundation
import PackagePlugin

/// Puts the version of the file VERSION into a library, and the commit of the build into a program.
///
/// They are apart because a commit changes often: only the program is compiled again.
@main
struct EmbedVersion: BuildToolPlugin {
  /// The variable with the commit, for a build without the repository.
  private static let variable = "REGIMEN_COMMIT"
  /// The files that change with every commit and every switch of branches, and that git never removes.
  private static let signs = [".git/HEAD", ".git/logs/HEAD"]

  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let module = target as? SwiftSourceModuleTarget else { return [] }
    let root = context.package.directoryURL
    let tool = try context.tool(named: "embed-resources").url
    guard module.kind == .executable else {
      let file = root.appending(path: "VERSION")
      let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedVersion.swift")
      return [
        .buildCommand(
          displayName: "Embed the version in \(target.name)", executable: tool,
          arguments: [
            "--version", output.path(percentEncoded: false), file.path(percentEncoded: false),
          ],
          inputFiles: [file], outputFiles: [output])
      ]
    }
    let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedCommit.swift")
    let given = ProcessInfo.processInfo.environment[Self.variable] ?? ""
    return [
      .buildCommand(
        displayName: "Embed the commit in \(target.name)", executable: tool,
        arguments: [
          "--commit", output.path(percentEncoded: false), root.path(percentEncoded: false), given,
        ],
        inputFiles: Self.signs.map { root.appending(path: $0) }
          .filter { FileManager.default.fileExists(atPath: $0.path(percentEncoded: false)) },
        outputFiles: [output])
    ]
  }
}
