// SPDX-License-Identifier: Apache-2.0

import Access
import CareTeam
import FHIR
import Identifiers
import Records
import Storage
import Web

/// Writes the files of one bulk export, page by page, each from its own snapshot.
final class ExportOutput {
  private static let pageSize = 200
  private static let patientsAtOnce = 50
  /// The most shared resources that are included because an exported resource refers to them.
  private static let mostReferred = 20_000
  /// The time between two records of the progress, in milliseconds.
  private static let progressPause: Int64 = 1_000

  private let job: ExportJob
  private let resources: OperationResources
  private let cipher: FieldCipher
  private var writers: [FHIRType: ExportFileWriter] = [:]
  /// The number of resources that were written.
  private(set) var written = 0
  private var referred: Set<FoundResource.Key> = []
  private var filters: [FHIRType: AccessFilter] = [:]
  private var noted: Timestamp

  private var environment: ServerEnvironment { resources.caller.environment }

  init(_ job: ExportJob, _ resources: OperationResources) throws {
    self.job = job
    self.resources = resources
    cipher = try job.cipher()
    noted = resources.caller.environment.now()
  }

  /// Writes all files, and returns them in the order of the types, so that the same data gives the same manifest.
  func write() async throws -> [ExportFile] {
    try await patients()
    if job.request.level == .system { try await shared() }
    return try FHIRType.allCases.compactMap { type -> ExportFile? in
      guard var file = try writers[type]?.close() else { return nil }
      if type == .observation {
        let actor = resources.caller.actor
        for patient in file.patients { file.parts[patient] = actor.observations(of: patient) }
      }
      return file
    }
  }

  /// Removes the incomplete files.
  func discard() {
    for writer in writers.values { writer.discard() }
  }

  // MARK: Patients

  private func patients() async throws {
    if case .group(let id) = job.request.level {
      for patient in try await members(of: id) { try await everything(of: patient) }
      return
    }
    try await pages(of: .patient, matching: [], count: Self.patientsAtOnce) { page in
      for patient in page.compactMap(\.patient) { try await everything(of: patient) }
    }
  }

  /// Returns the patients who are members of a stored Group, each once.
  private func members(of id: String) async throws -> [PatientID] {
    let group = try await resources.find(.group, id)
    let base = resources.caller.base
    var seen: Set<PatientID> = []
    return (group?.json?["member"]?.array ?? []).compactMap { member in
      guard member["inactive"]?.bool != true,
        let key = member["entity"]?["reference"]?.string.flatMap({
          ReferenceReading.key(of: $0, base: base)
        }), key.type == .patient, seen.insert(PatientID(key.id)).inserted
      else { return nil }
      return PatientID(key.id)
    }
  }

  private func everything(of patient: PatientID) async throws {
    let caller = resources.caller
    let purpose = caller.actor.purpose(with: patient)
    func mayExport(_ type: FHIRType) -> Bool { caller.actor.mayExport(type, of: patient) }
    guard mayExport(.patient), try await resources.find(.patient, patient.text) != nil else {
      return
    }
    let now = environment.now()
    try await environment.database.write { writer in
      writer.audit(
        AuditEntry(
          at: now, actor: caller.actor.accountID, app: caller.actor.scope.app?.app,
          kind: .export, patient: patient, resource: "Export", purpose: purpose.rawValue))
    }
    for type in OperationResources.ofPatients
    where job.request.includes(type) && mayExport(type) {
      try await export(type, of: patient)
    }
  }

  private func export(_ type: FHIRType, of patient: PatientID) async throws {
    let (resources, criteria, size) = (resources, job.request.criteria, Self.pageSize)
    var after: RecordCursor?
    repeat {
      let from = after
      let (page, shared) = try await environment.database.read { reader in
        let page = try resources.page(
          type, of: patient, matching: criteria, count: size, after: from, in: reader)
        return (
          page,
          try resources.shared(referredToBy: page.resources, atMost: 500, in: reader)
        )
      }
      try write(page.resources)
      if job.request.level != .system { try write(unwritten(shared)) }
      try await proceed()
      after = page.next
    } while after != nil
  }

  // MARK: Shared resources

  /// Returns the shared resources that are wanted and not written yet.
  private func unwritten(_ shared: [FoundResource]) -> [FoundResource] {
    shared.filter { resource in
      job.request.includes(resource.type) && referred.count < Self.mostReferred
        && referred.insert(resource.key).inserted
    }
  }

  private func shared() async throws {
    for type in FHIRType.shared where job.request.includes(type) && filter(type).isPermitted {
      try await pages(of: type, matching: job.request.criteria, count: Self.pageSize) { page in
        try write(page)
        try await proceed()
      }
    }
  }

  /// Reads all resources of a type that the caller may search.
  private func pages(
    of type: FHIRType, matching criteria: [SearchCriterion], count: Int,
    _ handle: ([FoundResource]) async throws -> Void
  ) async throws {
    let finder = ResourceFinder(caller: resources.caller)
    var query = ResourceQuery(type: type, criteria: criteria, count: count, wantsTotal: false)
    repeat {
      let part = query
      let page = try await environment.database.read { try finder.page(part, in: $0) }
      try await handle(page.resources)
      query.after = page.next
    } while query.after != nil
  }

  // MARK: Writing

  private func write(_ found: [FoundResource]) throws {
    for resource in found where filter(resource.type).admits(resource) {
      try writer(of: resource.type).append(resource)
      written += 1
    }
  }

  /// Returns the limits of the caller on what leaves the server in a file.
  private func filter(_ type: FHIRType) -> AccessFilter {
    if let known = filters[type] { return known }
    let filter = AccessFilter(type, .export, resources.caller)
    filters[type] = filter
    return filter
  }

  private func writer(of type: FHIRType) throws -> ExportFileWriter {
    if let writer = writers[type] { return writer }
    let writer = try ExportFileWriter(
      type, name: "\(job.id)-\(type.rawValue)", cipher: cipher,
      settings: environment.settings)
    writers[type] = writer
    return writer
  }

  /// Records the progress now and then; throws if the export was removed, the disk is full or the server stops.
  private func proceed() async throws {
    try Task.checkCancellation()
    guard !environment.disk.isShort else { throw ExportRunner.NoRoom() }
    let now = environment.now()
    guard now.milliseconds - noted.milliseconds >= Self.progressPause else { return }
    noted = now
    let (store, stored, count) = (environment.exports, job.stored, Int64(written))
    let isOurs = try await environment.database.write { writer in
      try store.proceed(stored, written: count, at: now, in: writer)
    }
    guard isOurs else { throw ExportRunner.Stopped() }
  }
}

extension Actor {
  /// Returns true if a patient's resources of a type may leave the server in a file, at least a part of them.
  func mayExport(_ type: FHIRType, of patient: PatientID) -> Bool {
    let decision = decide(
      actor: self, action: .export, patient: patient, resource: type.rawValue,
      purpose: purpose(with: patient), part: .either)
    return if case .allow = decision { true } else { false }
  }
}
