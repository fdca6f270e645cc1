// SPDX-License-Identifier: Apache-2.0

import Accounts
import CareTeam
import FHIR
import Logging
import Storage
import Web

/// Makes one bulk export that this server has leased, and records the result.
struct ExportRunner {
  /// The export was removed, or another server has taken it over.
  struct Stopped: Error {}
  /// There is no room for the files.
  struct NoRoom: Error {}

  private let job: ExportJob
  private let environment: ServerEnvironment

  init(_ job: ExportJob, environment: ServerEnvironment) {
    self.job = job
    self.environment = environment
  }

  /// Makes the export; one that a stopping server leaves is made again.
  func run() async {
    do {
      guard let caller = try await caller() else { return await finish(job.failed(.access)) }
      let output = try ExportOutput(job, OperationResources(caller: caller))
      do {
        let files = try await output.write()
        await finish(job.done(files, written: output.written))
      } catch {
        output.discard()
        throw error
      }
    } catch {
      if Task.isCancelled { return await finish(job.waiting()) }
      if error is Stopped { return }
      if !(error is NoRoom) {
        environment.logger.error(
          "export failed", metadata: ["type": .string("\(type(of: error))")])
      }
      await finish(job.failed(error is NoRoom ? .disk : .error))
    }
  }

  /// Returns the sender with the rights that it has now; nil if its access has ended.
  private func caller() async throws -> FHIRCaller? {
    let (access, accounts, now) = (job.access, environment.accounts, environment.now())
    let signedIn = try await environment.database.read { reader in
      try accounts.signedIn(access, at: now, in: reader)
    }
    return signedIn.map { signedIn in
      FHIRCaller(
        environment: environment, signedIn: signedIn, now: job.created, baseURL: job.baseURL)
    }
  }

  /// Records the result, unless the export was removed or taken over; then its files are removed.
  private func finish(_ result: ExportJob) async {
    let store = environment.exports
    let stored = result.stored
    let isKept = try? await environment.database.write { writer in
      try store.finish(stored, in: writer)
    }
    guard isKept != true else { return }
    result.removeFiles(environment.settings)
  }
}
