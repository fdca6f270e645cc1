// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization

/// The concepts with words in every language, found by their codes and usual English names.
enum Lexicon {
  /// Returns a concept for which a message `lexicon.…` has a branch; nil if it is not known.
  static func entry(_ concept: JSONValue?, in table: [String: String]) -> String? {
    guard let concept else { return nil }
    let codings = concept["coding"]?.array ?? []
    for coding in codings {
      if let code = coding["code"]?.string, let entry = table[code] { return entry }
    }
    for coding in codings {
      if let name = coding["display"]?.string, let entry = table[plain(name)] { return entry }
    }
    // A text next to unknown codes may say more than its words, so only a text without codes is looked up.
    guard codings.isEmpty, let text = concept["text"]?.string else { return nil }
    return table[plain(text)]
  }

  /// Returns a name in lower case without SNOMED CT's tags and kinds at its end.
  static func plain(_ name: String) -> String {
    var rest = name.lowercased()[...]
    var isChanged = true
    while isChanged {
      isChanged = false
      while rest.utf8.last == 0x20 { rest.removeLast() }
      // Few names end like a tag, and checking the last letter is faster than the whole name.
      guard let last = rest.utf8.last else { break }
      for tag in tags where tag.utf8.last == last && rest.hasSuffix(tag) {
        rest.removeLast(tag.count)
        isChanged = true
        break
      }
    }
    while rest.utf8.first == 0x20 { rest.removeFirst() }
    return String(rest)
  }

  private static let tags = [
    "(qualifier value)", "(finding)", "(disorder)", "(body structure)", "(symptom)",
    "(administration method)", "- dosing instruction imperative", "- dosing instruction fragment",
    " structure",
  ]

  /// Body sites that are part of the sentence: eyes, ears and the nose.
  static let places: [String: String] = [
    "8966001": "left-eye", "left eye": "left-eye", "entire left eye": "left-eye",
    "18944008": "right-eye", "right eye": "right-eye", "entire right eye": "right-eye",
    "40638003": "both-eyes", "both eyes": "both-eyes", "each eye": "both-eyes",
    "89644007": "left-ear", "left ear": "left-ear", "entire left ear": "left-ear",
    "25577004": "right-ear", "right ear": "right-ear", "entire right ear": "right-ear",
    "34338003": "both-ears", "both ears": "both-ears", "each ear": "both-ears",
    "left nostril": "left-nostril", "left naris": "left-nostril",
    "right nostril": "right-nostril", "right naris": "right-nostril",
    "both nostrils": "both-nostrils", "each nostril": "both-nostrils",
  ]

  /// Body sites that get their own sentence.
  static let sites: [String: String] = [
    "368208006": "left-upper-arm", "left upper arm": "left-upper-arm",
    "368209003": "right-upper-arm", "right upper arm": "right-upper-arm",
    "upper arm": "upper-arm", "40983000": "upper-arm",
    "left arm": "left-arm", "lt arm": "left-arm", "right arm": "right-arm",
    "left thigh": "left-thigh", "61396006": "left-thigh",
    "right thigh": "right-thigh", "11207009": "right-thigh",
    "68367000": "thigh", "thigh": "thigh",
    "818983003": "abdomen", "113345001": "abdomen", "abdomen": "abdomen", "abdominal": "abdomen",
    "belly": "abdomen", "46862004": "buttock", "buttock": "buttock",
    "hand": "hand", "85562004": "hand", "foot": "foot", "56459004": "foot",
    "face": "face", "89545001": "face", "scalp": "scalp", "41695006": "scalp",
    "chest": "chest", "51185008": "chest", "back": "back",
    "shoulder": "shoulder", "16982005": "shoulder", "knee": "knee", "72696002": "knee",
    "elbow": "elbow", "76248009": "elbow", "forearm": "forearm", "14975008": "forearm",
    "neck": "neck", "45048000": "neck", "leg": "leg", "lower leg": "lower-leg",
    "30021000": "lower-leg", "affected area": "affected-area",
    "affected areas": "affected-area",
  ]

  /// The methods.
  static let methods: [String: String] = [
    "421521009": "swallow", "738995006": "swallow", "swallow": "swallow",
    "take": "take", "administer": "take", "421134003": "inhale", "inhale": "inhale",
    "417924000": "apply", "738991002": "apply", "apply": "apply",
    "421538008": "instill", "instill": "instill", "instil": "instill",
    "422145002": "inject", "inject": "inject", "injection": "inject",
    "738992009": "chew", "chew": "chew", "suck": "suck", "gargle": "gargle", "rinse": "rinse",
    "738993004": "insert", "insert": "insert", "spray": "spray", "rub": "rub",
    "infuse": "infuse", "sprinkle": "sprinkle", "dissolve": "dissolve", "push": "push",
    "420620005": "push",
  ]

  /// The reasons for taking it.
  static let reasons: [String: String] = [
    "22253000": "pain", "pain": "pain", "pains": "pain", "25064002": "headache",
    "headache": "headache", "37796009": "migraine", "migraine": "migraine",
    "386661006": "fever", "fever": "fever", "pyrexia": "fever",
    "422587007": "nausea", "nausea": "nausea", "422400008": "vomiting", "vomiting": "vomiting",
    "49727002": "cough", "cough": "cough", "193462001": "insomnia", "insomnia": "insomnia",
    "sleeplessness": "insomnia", "48694002": "anxiety", "anxiety": "anxiety",
    "418290006": "itching", "itching": "itching", "pruritus": "itching",
    "14760008": "constipation", "constipation": "constipation",
    "62315008": "diarrhea", "diarrhea": "diarrhea", "diarrhoea": "diarrhea",
    "267036007": "breathlessness", "dyspnea": "breathlessness",
    "shortness of breath": "breathlessness", "breathlessness": "breathlessness",
    "56018004": "wheezing", "wheezing": "wheezing", "wheeze": "wheezing",
    "16331000": "heartburn", "heartburn": "heartburn", "pyrosis": "heartburn",
    "194828000": "angina", "angina": "angina", "angina pectoris": "angina",
    "29857009": "chest-pain", "chest pain": "chest-pain", "404640003": "dizziness",
    "dizziness": "dizziness", "21522001": "abdominal-pain", "abdominal pain": "abdominal-pain",
    "161891005": "back-pain", "back pain": "back-pain", "backache": "back-pain",
    "agitation": "agitation", "24199005": "agitation", "91175000": "seizure",
    "seizure": "seizure", "64531003": "congestion", "nasal congestion": "congestion",
    "68235000": "congestion",
  ]

  /// Cautions and advice, each as a sentence.
  static let instructions: [String: String] = [
    "311504000": "with-or-after-food", "with or after food": "with-or-after-food",
    "311501008": "before-food", "half to one hour before food": "before-food",
    "with food": "with-food", "take with food": "with-food", "with meals": "with-food",
    "717154004": "empty-stomach", "take on an empty stomach": "empty-stomach",
    "on an empty stomach": "empty-stomach", "419822006": "no-alcohol",
    "warning. avoid alcoholic drink": "no-alcohol", "avoid alcohol": "no-alcohol",
    "418639000": "drowsiness", "may cause drowsiness": "drowsiness",
    "warning. may cause drowsiness": "drowsiness",
    "418693002": "swallow-whole", "swallowed whole, not chewed": "swallow-whole",
    "swallow whole": "swallow-whole", "419303009": "plenty-of-water",
    "with plenty of water": "plenty-of-water", "418521000": "no-sun",
    "417995008": "dissolve-in-water",
    "dissolve or mix with water before taking": "dissolve-in-water",
    "shake well": "shake", "shake well before use": "shake",
    "421984009": "until-finished", "until finished": "until-finished",
  ]
}
