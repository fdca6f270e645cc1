// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FHIR
import Foundation
import Identifiers
import ImportPages
import Prescriptions
import Storage
import Web

/// The command `regimen import`.
struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Imports prescriptions, administrations and measurements from a file.",
    discussion: """
      The file is FHIR as JSON, R4 or DSTU2: a Bundle, one resource, or one resource per line \
      (ndjson). Prescriptions become proposals, which the person accepts on Today. With --accept \
      they become plans immediately, with reminders. The same file again changes nothing. \
      The last line printed is a JSON object with the counts and what was not imported, by entry. \
      Heart rates, steps and weights among Observations are stored too.

      Measurements are recognised by the file's content: an Apple Health export (export.zip, \
      or the XML in it, of any size; prescriptions among its clinical records become \
      proposals), a Gadgetbridge database, what Health Auto Export and other apps write as \
      JSON, and tables (CSV). Columns of a table are recognised by name. If they \
      are not, give a column's name or number, or =TEXT for all rows: \
      --time when --value 3 --metric =resting-heart-rate. Try it with --dry-run first.
      """)

  @Argument(help: "The file, or - for standard input.")
  var file: String
  @Option(help: "Id of the patient. Not needed if there is only one.")
  var patient: String?
  @Option(
    help: "Name of the person, for a file without one and a data folder without patients.")
  var name: String?
  @Flag(help: "Turn prescriptions into plans immediately.")
  var accept = false
  @Flag(help: "Show what would happen, without changing anything.")
  var dryRun = false
  @OptionGroup(title: "Columns of a table") var columns: ColumnOptions
  @OptionGroup var data: DataOptions

  func run() async throws {
    let fileName = file == "-" ? "-" : URL(fileURLWithPath: file).lastPathComponent
    var options = ImportOptions(
      patient: patient.map(PatientID.init), accept: accept, isTrial: dryRun, fileName: fileName)
    options.personName = name
    let client = AdministrationClient(data: data.folder)
    if file != "-", HealthFileChoice.isHealth(path: file) {
      let line = try await client.importHealth(
        file, try InputFile.open(file), options, columns: columns.answers)
      return print(line.text)
    }
    let lines: [JSONValue]
    do {
      lines = try await take(options, client)
    } catch let failure as CommandFailure {
      // Standard input cannot be read a second time.
      guard failure.code == HostImport.nameMissing, file != "-", isatty(STDIN_FILENO) != 0 else {
        throw failure
      }
      options.personName = try askName(failure)
      lines = try await take(options, client)
    }
    for line in lines { print(line.text) }
  }

  private func take(_ options: ImportOptions, _ client: AdministrationClient) async throws
    -> [JSONValue]
  {
    let input = try InputFile.open(file)
    // Checked before reading; input without a size, such as a pipe, is counted while it is read.
    let size = try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
    try AdministrationClient.check(size: file == "-" ? 0 : size ?? 0)
    return try await client.importFile(input, options, progress: Progress())
  }

  /// Asks on the terminal for the person's name.
  private func askName(_ failure: CommandFailure) throws -> String {
    StandardStream.error.write("\n\(failure.description)\nName: ")
    guard let typed = readLine(strippingNewline: true), !typed.isEmpty else { throw failure }
    return typed
  }

  /// Reports the progress on standard error; on a terminal in one line that is overwritten.
  struct Progress: Sendable {
    private let isTerminal = isatty(STDERR_FILENO) != 0

    func read(bytes: Int, entries: Int) {
      tell("read \(bytes / 1024) KB, \(entries) entries", isLast: false)
    }

    func done(_ count: Int) {
      if count.isMultiple(of: 500) { tell("imported \(count)", isLast: false) }
    }

    func finish() { tell("finished", isLast: true) }

    private func tell(_ text: String, isLast: Bool) {
      let line = isTerminal ? "\r\u{1B}[K\(text)" + (isLast ? "\n" : "") : "\(text)\n"
      StandardStream.error.write(line)
    }
  }
}

extension AdministrationClient {
  /// The number of bytes read at a time.
  private static let chunk = 1 << 20

  /// Rejects a file that is too large for one import.
  static func check(size: Int) throws(CommandFailure) {
    guard size > ImportOptions.maximumBytes else { return }
    throw CommandFailure(
      description: "The file may have at most \(ImportOptions.maximumBytes >> 20) MB. Split it.")
  }

  /// Imports a file and returns the lines to print.
  func importFile(
    _ input: FileHandle, _ options: ImportOptions, progress: ImportCommand.Progress
  ) async throws -> [JSONValue] {
    try await carryOut {
      let composition = try await open()
      do {
        var reader = ImportFileReader(fileName: options.fileName)
        var count = 0
        while let bytes = try input.read(upToCount: Self.chunk), !bytes.isEmpty {
          reader.append(Array(bytes))
          count += bytes.count
          try Self.check(size: count)
          progress.read(bytes: count, entries: reader.entryCount)
        }
        let lines = try await HostImport(environment: composition.environment).perform(
          reader, options, progress: progress.done)
        progress.finish()
        await composition.environment.database.close()
        return lines
      } catch {
        await composition.environment.database.close()
        throw error
      }
    } throughSocket: {
      let path = ImportRoutes.hostPath(options)
      var count = 0
      let answer = try SocketRequest(socket: data + "/control.sock").stream(path) {
        guard let bytes = try input.read(upToCount: Self.chunk), !bytes.isEmpty else {
          return nil
        }
        count += bytes.count
        try Self.check(size: count)
        progress.read(bytes: count, entries: 0)
        return bytes
      }
      progress.finish()
      guard answer.status == 200, let lines = answer.body["lines"]?.array else {
        let detail = answer.body["detail"]?.string ?? "The server answered \(answer.status)."
        throw CommandFailure(description: detail, code: answer.body["code"]?.string)
      }
      return lines
    }
  }
}
