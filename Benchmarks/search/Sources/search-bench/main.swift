// SPDX-License-Identifier: Apache-2.0

import Knowledge

// Prints the time of a search among the names of 100,000 generated medicines: for each kind of
// query the median, the 99th percentile and the maximum in milliseconds, compared with a scan of
// every name.
func measure() {
  var state: UInt64 = 88_172_645_463_325_252
  func next(_ bound: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state >> 33) % bound
  }
  let beginnings = [
    "para", "ibu", "meto", "ator", "ami", "cefa", "flu", "lora", "ome", "rami", "sita", "val",
    "clo",
    "pred", "dexa", "hydro", "levo", "nitro", "oxy", "keto", "tra", "zo", "bi", "car", "do", "eno",
  ]
  let middles = [
    "ce", "pro", "va", "lo", "xi", "ta", "mi", "do", "ri", "ne", "so", "pi", "ga", "zi",
  ]
  let ends = [
    "mol", "fen", "lol", "statin", "cillin", "zole", "pril", "sartan", "mycin", "dipin", "gliptin",
    "xaban", "tidine", "profen", "azepam", "oxacin", "vir", "mab", "lone", "ide",
  ]
  let medicines = 100_000
  var entries: [(owner: Int, name: String, kind: NameKind)] = []
  for number in 0..<medicines {
    func word() -> String {
      let middle = (0...next(2)).map { _ in middles[next(middles.count)] }.joined()
      return beginnings[next(beginnings.count)] + middle + ends[next(ends.count)]
    }
    entries.append((number, word(), .ingredient))
    entries.append((number, word() + " " + middles[next(middles.count)] + "\(next(900))", .brand))
  }
  let built = ContinuousClock.now
  let index = NameIndex(entries)
  func milliseconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) * 1e3 + Double(duration.components.attoseconds) / 1e15
  }
  print("built \(milliseconds(ContinuousClock.now - built))")

  func question(_ kind: String) -> String {
    let name = entries[next(entries.count)].name
    switch kind {
    case "exact": return name
    case "beginning": return String(name.prefix(3 + next(3)))
    case "one letter": return String(name.prefix(1))
    case "misspelled":
      var letters = Array(name)
      letters[1 + next(letters.count - 1)] = Character(UnicodeScalar(UInt8(97 + next(26))))
      return String(letters)
    default: return "qqwwxxzzyy\(next(1_000))"
    }
  }
  var found = 0
  for kind in ["exact", "beginning", "one letter", "misspelled", "nothing like it"] {
    var times: [Double] = []
    for round in 0..<2_200 {
      let asked = question(kind)
      let begun = ContinuousClock.now
      found += index.search(asked).count
      // The first queries are a warm-up.
      if round >= 200 { times.append(milliseconds(ContinuousClock.now - begun)) }
    }
    times.sort()
    let p99 = times[times.count * 99 / 100]
    print("\(kind): \(times[times.count / 2]) \(p99) \(times.last ?? 0)")
  }
  var scans: [Double] = []
  for _ in 0..<20 {
    let asked = question("beginning")
    let begun = ContinuousClock.now
    found += entries.reduce(into: 0) { if $1.name.hasPrefix(asked) { $0 += 1 } }
    scans.append(milliseconds(ContinuousClock.now - begun))
  }
  print("scan \(scans.sorted()[scans.count / 2]) \(found)")
}

measure()
