// SPDX-License-Identifier: Apache-2.0
import Foundation
import PackagePlugin

/// Turns the text files in a target's resource folders into one generated Swift file, so that the
/// finished program needs no files beside it.
@main
struct EmbedResources: BuildToolPlugin {
  /// The folders of a target that are embedded, where they exist.
  private static let folders = ["Assets", "Catalogues", "Migrations"]

  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let module = target as? SwiftSourceModuleTarget else { return [] }
    let root = module.directoryURL
    let paths = try Self.folders.flatMap { try Self.files(in: $0, of: root) }
    let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedResources.swift")
    return [
      .buildCommand(
        displayName: "Embed \(paths.count) resource files of \(target.name)",
        executable: try context.tool(named: "embed-resources").url,
        arguments: [output.path(percentEncoded: false), root.path(percentEncoded: false)] + paths,
        inputFiles: paths.map { root.appending(path: $0) },
        outputFiles: [output])
    ]
  }

  /// The visible files of one folder as paths relative to the target, sorted.
  private static func files(in folder: String, of root: URL) throws -> [String] {
    let directory = root.appending(path: folder).path(percentEncoded: false)
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: directory, isDirectory: &isDirectory),
      isDirectory.boolValue
    else { return [] }
    return try FileManager.default.subpathsOfDirectory(atPath: directory)
      .filter { path in !path.split(separator: "/").contains { $0.hasPrefix(".") } }
      .filter { path in
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(
          atPath: directory + "/" + path, isDirectory: &isFolder)
        return exists && !isFolder.boolValue
      }
      .map { folder + "/" + $0 }
      .sorted()
  }
}
