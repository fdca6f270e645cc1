// SPDX-License-Identifier: Apache-2.0

import Diary
import FHIR
import Identifiers
import People
import Storage
import TimeZones

/// Some participants of a study, as bytes of each file of the export.
struct StudyPage: Sendable {
  /// The number of participants that are read at a time, which bounds the memory of an export.
  static let size = 50

  /// The bytes of each file.
  private(set) var bytes: [StudyExportFile: [UInt8]] = [:]
  /// The figures for the summary.
  private(set) var tally = StudyTally()

  /// Reads the participants after a pseudonym and up to another one, without those who joined after the export began.
  init(
    after pseudonym: StudyPseudonym, through end: StudyPseudonym, of source: StudySource,
    _ files: Set<StudyExportFile>, in reader: any SQLReader
  ) throws {
    var lines: [StudyExportFile: StudyLine] = [:]
    for file in files { lines[file] = StudyLine() }
    let page = try StudyQueries.range(
      of: source.study.id, after: pseudonym, through: end, in: reader)
    for participant in page where source.exports(participant) {
      let zone = try PeopleQueries.zone(participant.patient, zones: source.zones, in: reader)
      let signed = source.versions[participant.version]
      let clock = StudyClock(
        participant, days: signed?.days ?? 0, closed: source.closed, now: source.now, zone: zone)
      var record = StudyRecord(
        participant: participant, shares: signed?.shares ?? [], clock: clock, source: source)
      try record.read(files, in: reader)
      record.write(into: &lines)
      if files.contains(.summary) { tally.count(record) }
    }
    bytes = lines.mapValues(\.bytes)
  }
}

/// The facts that the pages of an export have in common.
struct StudySource: Sendable {
  /// The newest version, which decides on files and columns.
  let study: StudyDefinition
  /// Every version: a participant shares only what the signed one names.
  let versions: [Int: StudyDefinition]
  let closed: Timestamp?
  let now: Timestamp
  let zones: ZoneCatalog
  let seed: StudySeed

  /// Returns true for a participant of the export: one who joined before it began and did not have everything left out.
  func exports(_ participant: StudyParticipant) -> Bool {
    !participant.isErased && participant.joined <= now
  }

  /// Returns the arm of a participant as it is exported: nothing before the study is closed, so that no one can guess the
  /// next place of a block.
  func arm(_ participant: StudyParticipant) -> String {
    closed == nil ? "" : participant.arm
  }
}

/// Everything that is exported of one participant.
struct StudyRecord: Sendable {
  let participant: StudyParticipant
  /// The data that the consent names which the participant signed.
  let shares: Set<StudyShare>
  let clock: StudyClock
  let source: StudySource
  private(set) var doses: [StudyLedger.Dose] = []
  private(set) var answers: [StudyLedger.Answer] = []
  private(set) var questions: [StudyQuestion] = []
  private(set) var scores: [QuestionnaireStudyScore] = []

  init(
    participant: StudyParticipant, shares: Set<StudyShare>, clock: StudyClock, source: StudySource
  ) {
    self.participant = participant
    self.shares = shares
    self.clock = clock
    self.source = source
  }

  /// The values of the study's outcomes, in their order.
  var outcomes: [Double?] {
    let doses = doses.map(\.dose)
    return source.study.outcomes.map { outcome in
      guard shares.contains(outcome.measure.share) else { return nil }
      return StudyOutcomes.value(of: outcome, doses, questions, days: clock.days)
    }
  }

  /// Returns true if the participant agreed to be in a file.
  private func isShared(_ file: StudyExportFile) -> Bool {
    file.share.map { shares.contains($0) } ?? true
  }

  /// Reads what some files need, and nothing that the participant does not share.
  mutating func read(_ files: Set<StudyExportFile>, in reader: any SQLReader) throws {
    let patient = participant.patient
    var medicines = StudyLedger.Medicines()
    let files = files.filter { isShared($0) }
    let figures = !files.isDisjoint(with: [.outcomes, .summary])
    let needs = Set(source.study.outcomes.map(\.measure.share)).intersection(shares)
    if !files.isDisjoint(with: [.doses, .answers, .ringToAnswer, .administrations])
      || (figures && !needs.isDisjoint(with: [.doses, .reminders]))
    {
      // Answers number their medicines after the doses, so that both files agree.
      doses = try StudyLedger.doses(of: patient, clock, &medicines, in: reader)
    }
    if files.contains(.answers) {
      answers = try StudyLedger.answers(of: patient, clock, &medicines, in: reader)
    }
    if files.contains(.heartRateQuestions) || (figures && needs.contains(.heartRateQuestions)) {
      questions = try StudyLedger.questions(of: patient, clock, in: reader)
    }
    if files.contains(.questionnaireScores) {
      scores = try QuestionnaireStudyScore.all(
        of: patient, study: participant.study, from: clock.from, until: clock.until, in: reader)
    }
  }

  /// Writes the lines of each file.
  func write(into lines: inout [StudyExportFile: StudyLine]) {
    for file in Array(lines.keys) where isShared(file) {
      guard var line = lines.removeValue(forKey: file) else { continue }
      write(file, into: &line)
      lines[file] = line
    }
  }

  private func write(_ file: StudyExportFile, into line: inout StudyLine) {
    let name = participant.pseudonym.text
    switch file {
    case .participants:
      line.add(name)
      line.add(source.arm(participant))
      line.add(participant.version)
      line.add(clock.days)
      line.add(participant.withdrawn == nil ? "0" : "1")
      line.end()
    case .doses:
      for dose in doses.lazy.map(\.dose) {
        begin(&line, name, dose)
        line.add(dose.state.rawValue)
        line.add(dose.lateness)
        line.end()
      }
    case .ringToAnswer:
      for dose in doses.lazy.map(\.dose) where dose.ringToAnswer != nil {
        begin(&line, name, dose)
        line.add(dose.ringToAnswer)
        line.end()
      }
    case .answers:
      for answer in answers {
        let place = clock.place(of: answer.at)
        line.add(name)
        line.add(answer.medicine)
        line.add(answer.action)
        line.add(place.day)
        line.add(place.minute)
        line.add(Int((answer.recorded.milliseconds - answer.at.milliseconds) / 60_000))
        line.end()
      }
    case .heartRateQuestions:
      for question in questions {
        line.add(name)
        line.add(question.day)
        line.add(question.answer ?? "")
        line.end()
      }
    case .questionnaireScores:
      for score in scores {
        line.add(name)
        line.add(clock.place(of: score.answered).day)
        line.add(
          QuestionnaireInstruments.named(url: score.questionnaire)?.rawValue
            ?? score.questionnaire)
        line.add(score.name)
        line.add(score.value)
        line.end()
      }
    case .outcomes:
      line.add(name)
      line.add(source.arm(participant))
      for value in outcomes { line.add(value) }
      line.end()
    case .patients:
      line.append(raw: "{\"resourceType\":\"Patient\",\"id\":\"\(name)\"}\n")
    case .administrations:
      writeAdministrations(name, into: &line)
    case .summary, .dictionary: break
    }
  }

  private func begin(_ line: inout StudyLine, _ name: String, _ dose: StudyDose) {
    line.add(name)
    line.add(dose.medicine)
    line.add(dose.day)
    line.add(dose.minute)
  }

  /// Writes a resource for each answered dose.
  ///
  /// It is made of these facts alone: nothing of the person's own resources can be in it.
  private func writeAdministrations(_ name: String, into line: inout StudyLine) {
    let weeks = source.seed.weeks(of: participant.pseudonym)
    let shift = -Int64(weeks) * 7 * 86_400_000
    for (number, dose) in doses.enumerated() {
      guard let at = dose.at, dose.dose.state != .missed else { continue }
      let status = dose.dose.state == .taken ? "completed" : "not-done"
      let time = FHIRDateTime.instantText(
        milliseconds: at.adding(milliseconds: shift).milliseconds, offsetMinutes: 0)
      line.append(
        raw: """
          {"resourceType":"MedicationAdministration","id":"\(name)-\(number)",\
          "status":"\(status)","medicationCodeableConcept":{"text":"\(dose.dose.medicine)"},\
          "subject":{"reference":"Patient/\(name)"},"effectiveDateTime":"\(time)"}\n
          """)
    }
  }
}
