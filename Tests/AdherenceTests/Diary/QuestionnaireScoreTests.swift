// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Diary

/// Scores of questionnaires: the expression, missing answers and reversed items.
@Suite struct QuestionnaireScoreTests {
  @Test func `only the grammar is accepted`() {
    for text in [
      "sum(a)", "mean(a, -b)", " sum ( a , -b ) ", "sum(a, b) * 2.5",
      "sum(a, b) * -1 missing mean 1",
      "sum(ran-out, -ran-out2)",
    ] {
      #expect(QuestionnaireScore(text) != nil, "\(text)")
    }
    for text in [
      "", "sum", "sum()", "sum(a", "max(a)", "sum(a,)", "sum(a, a)", "sum(a b)", "sum(a) * x",
      "sum(a) *", "sum(a) + 1", "sum(a, b) missing", "sum(a, b) missing mean",
      "sum(a, b) missing mean 2", "sum(a, b) missing zero 1", "sum(a) * 1e9",
      "sum(a) * 12345678", "sum(a)); drop",
    ] {
      #expect(QuestionnaireScore(text) == nil, "\(text)")
    }
  }

  private func adherence(_ codes: [String: String]) throws -> Decimal? {
    let form = try #require(QuestionnaireInstruments.all[.adherence])
    let read = QuestionnaireInput(codes.mapValues { [$0] }).read(form)
    #expect(read.mistakes == [:])
    return try #require(form.score).value(of: form, read.answers)
  }

  @Test func `reversed items, the factor and a missing answer count as written`() throws {
    let links = ["forgot", "late", "skipped", "changed", "ran-out"]
    func all(_ code: String, without missing: Set<String> = []) -> [String: String] {
      Dictionary(
        uniqueKeysWithValues: links.filter { !missing.contains($0) }.map { ($0, code) })
    }
    #expect(try adherence(all("never")) == 100)
    #expect(try adherence(all("always")) == 0)
    #expect(try adherence(all("sometimes")) == 50)
    // The missing answer is replaced by the mean of the others; two are too many.
    #expect(try adherence(all("rarely", without: ["late"])) == 75)
    #expect(try adherence(all("rarely", without: ["late", "forgot"])) == nil)
    #expect(try adherence([:]) == nil)
  }

  @Test func `the limits of a score follow from its items`() throws {
    for (name, limits) in [
      (QuestionnaireInstruments.Name.adherence, 0...100), (.usability, 0...100), (.aims, 0...100),
      (.heartWeekly, 0...18),
    ] {
      let form = try #require(QuestionnaireInstruments.all[name])
      let range = try #require(form.score?.limits(of: form))
      #expect(range.lowerBound == Decimal(limits.lowerBound), "\(name)")
      #expect(range.upperBound == Decimal(limits.upperBound), "\(name)")
    }
  }

  @Test func `a usability answer in the middle of everything is 50`() throws {
    let form = try #require(QuestionnaireInstruments.all[.usability])
    let score = try #require(form.score)
    let answers = Dictionary(
      uniqueKeysWithValues: score.terms.map { ($0.link, ["neutral"]) })
    #expect(score.value(of: form, QuestionnaireInput(answers).read(form).answers) == 50)
  }
}
