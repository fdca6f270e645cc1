// SPDX-License-Identifier: Apache-2.0
import Localization

/// Dosages with the sentences that they must give, word for word.
enum GoldenSentences {
  struct Golden: Sendable {
    let name: String
    /// One dosage, or an array of them.
    let json: String
    let unvoiced: [String]
    let sentences: [Language: String]
    let short: String
  }

  static let all: [Golden] = [
    Golden(
      name: "twice",
      json: #"""
        {"text": "x", "timing": {"repeat": {"frequency": 2, "period": 1, "periodUnit": "d",
        "timeOfDay": ["08:00:00", "20:00:00"]}}, "route": {"coding": [{"system":
        "http://snomed.info/sct", "code": "26643006"}]}, "doseAndRate": [{"doseQuantity":
        {"value": 1, "unit": "tablet", "system": "http://unitsofmeasure.org", "code":
        "{tablet}"}}]}
        """#,
      unvoiced: ["text"],
      sentences: [
        .en:
          "Take 1 tablet by mouth twice a day, at 08:00 and 20:00.",
        .de:
          "Nehmen Sie 1 Tablette durch den Mund ein, zweimal täglich, um 08:00 und 20:00 Uhr.",
        .nb:
          "Ta 1 tablett gjennom munnen to ganger om dagen, kl. 08:00 og 20:00.",
        .th:
          "รับประทานครั้งละ 1 เม็ด วันละ 2 ครั้ง เวลา 08:00 และ 20:00 น.",
        .tr:
          "Günde 2 kez (saat 08:00 ve 20:00) 1 tablet ağızdan alın.",
      ],
      short: "1 tablet · 08:00, 20:00"),
    Golden(
      name: "half",
      json: #"""
        {"timing": {"repeat": {"frequency": 1, "period": 2, "periodUnit": "d", "when": ["MORN"]}},
        "doseAndRate": [{"doseQuantity": {"value": 0.5, "code": "{tablet}"}}]}
        """#,
      unvoiced: [],
      sentences: [
        .en:
          "Take half a tablet every other day, in the morning.",
        .de:
          "Nehmen Sie eine halbe Tablette ein, jeden zweiten Tag, morgens.",
        .nb:
          "Ta en halv tablett annenhver dag, om morgenen.",
        .th:
          "รับประทานครั้งละ ครึ่งเม็ด วันเว้นวัน ตอนเช้า",
        .tr:
          "Gün aşırı, sabah yarım tablet alın.",
      ],
      short: "half a tablet · every other day · in the morning"),
    Golden(
      name: "weekdays",
      json: #"""
        {"timing": {"repeat": {"dayOfWeek": ["mon", "wed", "fri"], "timeOfDay": ["08:00"]}},
        "doseAndRate": [{"doseQuantity": {"value": 2, "code": "{capsule}"}}]}
        """#,
      unvoiced: [],
      sentences: [
        .en:
          "Take 2 capsules every Monday, Wednesday and Friday, at 08:00.",
        .de:
          "Nehmen Sie 2 Kapseln ein, jeden Montag, Mittwoch und Freitag, um 08:00 Uhr.",
        .nb:
          "Ta 2 kapsler hver mandag, onsdag og fredag, kl. 08:00.",
        .th:
          "รับประทานครั้งละ 2 แคปซูล ทุกวันจันทร์, วันพุธ และ วันศุกร์ เวลา 08:00 น.",
        .tr:
          "Her Pazartesi, Çarşamba ve Cuma (saat 08:00) 2 kapsül alın.",
      ],
      short: "2 capsules · Mon, Wed, Fri · 08:00"),
    Golden(
      name: "hours",
      json: #"""
        {"asNeededCodeableConcept": {"text": "headache"}, "timing": {"repeat": {"frequency": 1,
        "period": 6, "periodUnit": "h"}}, "doseAndRate": [{"doseQuantity": {"value": 500, "code":
        "mg"}}], "patientInstruction": "Not with alcohol"}
        """#,
      unvoiced: [],
      sentences: [
        .en:
          "Take 500 mg when needed, no more often than every 6 hours. For: “headache”. Note: “Not with alcohol”",
        .de:
          "Nehmen Sie 500 mg, bei Bedarf, höchstens alle 6 Stunden. Grund: „headache“. Hinweis: „Not with alcohol“",
        .nb:
          "Ta 500 mg ved behov, ikke oftere enn hver 6. time. Grunn: «headache». Merk: «Not with alcohol»",
        .th:
          "ใช้ยาครั้งละ 500 มิลลิกรัม เมื่อจำเป็น ถี่ที่สุดทุก 6 ชั่วโมง สำหรับ: “headache” หมายเหตุ: “Not with alcohol”",
        .tr:
          "Gerektiğinde, en sık 6 saatte bir 500 mg alın. Neden: “headache”. Not: “Not with alcohol”",
      ],
      short: "500 mg · every 6 hours · when needed"),
    Golden(
      name: "meals",
      json: #"""
        {"timing": {"repeat": {"frequency": 2, "period": 1, "periodUnit": "d", "when": ["ACM",
        "ACV"], "offset": 30, "boundsPeriod": {"start": "2026-03-01", "end": "2026-03-14"}}},
        "route": {"text": "Subcutaneous"}, "doseAndRate": [{"doseQuantity": {"value": 12, "code":
        "[iU]"}}]}
        """#,
      unvoiced: [],
      sentences: [
        .en:
          "Inject 12 units under the skin twice a day, 30 minutes before breakfast and 30 minutes before dinner, from 1 March 2026 up to and including 14 March 2026.",
        .de:
          "Spritzen Sie 12 Einheiten unter die Haut, zweimal täglich, 30 Minuten vor dem Frühstück und 30 Minuten vor dem Abendessen, ab 1. März 2026 bis einschließlich 14. März 2026.",
        .nb:
          "Injiser 12 enheter under huden to ganger om dagen, 30 minutter før frokost og 30 minutter før middag, fra 1. mars 2026 til og med 14. mars 2026.",
        .th:
          "ฉีดเข้าใต้ผิวหนังครั้งละ 12 ยูนิต วันละ 2 ครั้ง ก่อนอาหารเช้า 30 นาที และ ก่อนอาหารเย็น 30 นาที ตั้งแต่ 1 มีนาคม 2569 จนถึง 14 มีนาคม 2569 (รวมวันสุดท้าย)",
        .tr:
          "Günde 2 kez, kahvaltıdan 30 dakika önce ve akşam yemeğinden 30 dakika önce, 1 Mart 2026 tarihinden 14 Mart 2026 tarihine kadar (son gün dahil) 12 ünite cilt altına enjekte edin.",
      ],
      short: "12 units · 30 minutes before breakfast, 30 minutes before dinner"),
    Golden(
      name: "puffs",
      json: #"""
        {"asNeededBoolean": true, "timing": {"repeat": {"frequency": 4, "period": 1, "periodUnit":
        "d"}}, "route": {"text": "inhalation"}, "doseAndRate": [{"doseQuantity": {"value": 2,
        "unit": "puffs"}}]}
        """#,
      unvoiced: [],
      sentences: [
        .en:
          "Inhale 2 puffs when needed, at most 4 times a day.",
        .de:
          "Inhalieren Sie 2 Hübe, bei Bedarf, höchstens 4-mal täglich.",
        .nb:
          "Inhaler 2 inhalasjoner ved behov, høyst 4 ganger om dagen.",
        .th:
          "สูดพ่นยาครั้งละ 2 กด เมื่อจำเป็น ไม่เกินวันละ 4 ครั้ง",
        .tr:
          "Gerektiğinde, en fazla günde 4 kez 2 fıs ağızdan soluyun.",
      ],
      short: "2 puffs · 4 times a day · when needed"),
    Golden(
      name: "patch",
      json: #"""
        {"timing": {"repeat": {"frequency": 1, "period": 1, "periodUnit": "wk", "dayOfWeek":
        ["sun"], "boundsPeriod": {"start": "2026-03-01"}}}, "route": {"coding": [{"code":
        "45890007"}]}, "doseAndRate": [{"doseQuantity": {"value": 1, "code": "{patch}"}}]}
        """#,
      unvoiced: [],
      sentences: [
        .en:
          "Stick 1 patch on the skin once a week, on Sunday, from 1 March 2026.",
        .de:
          "Kleben Sie 1 Pflaster auf die Haut, einmal pro Woche, am Sonntag, ab 1. März 2026.",
        .nb:
          "Fest 1 plaster på huden én gang i uken, søndag, fra 1. mars 2026.",
        .th:
          "แปะผิวหนังครั้งละ 1 แผ่น สัปดาห์ละ 1 ครั้ง ในวันอาทิตย์ ตั้งแต่ 1 มีนาคม 2569",
        .tr:
          "Haftada 1 kez, Pazar günü, 1 Mart 2026 tarihinden itibaren 1 bant cilde yapıştırın.",
      ],
      short: "1 patch · Sun · once a week"),
    Golden(
      name: "drops",
      json: #"""
        {"timing": {"repeat": {"frequency": 3, "period": 1, "periodUnit": "d", "boundsDuration":
        {"value": 7, "code": "d"}}}, "route": {"coding": [{"code": "54485002"}]}, "doseAndRate":
        [{"doseQuantity": {"value": 1, "code": "[drp]"}}]}
        """#,
      unvoiced: [],
      sentences: [
        .en:
          "Use 1 drop in the eye 3 times a day, for 7 days.",
        .de:
          "Wenden Sie 1 Tropfen am Auge an, 3-mal täglich, für 7 Tage.",
        .nb:
          "Bruk 1 dråpe i øyet 3 ganger om dagen, i 7 dager.",
        .th:
          "ใช้ยาทางตาครั้งละ 1 หยด วันละ 3 ครั้ง เป็นเวลา 7 วัน",
        .tr:
          "Günde 3 kez, 7 gün boyunca 1 damla göze uygulayın.",
      ],
      short: "1 drop · 3 times a day"),
    Golden(
      name: "micro",
      json: #"""
        {"timing": {"code": {"coding": [{"code": "QD"}]}, "repeat": {"count": 5, "countMax": 10}},
        "doseAndRate": [{"doseQuantity": {"value": 62.5, "code": "ug", "unit": "mcg"}}], "text":
        "62.5 mcg daily, 5 to 10 doses"}
        """#,
      unvoiced: ["timing.repeat.count", "timing.repeat.countMax"],
      sentences: [
        .en:
          "Take 62.5 micrograms once a day. The prescriber wrote: “62.5 mcg daily, 5 to 10 doses”",
        .de:
          "Nehmen Sie 62,5 Mikrogramm, einmal täglich. Im Rezept steht: „62.5 mcg daily, 5 to 10 doses“",
        .nb:
          "Ta 62,5 mikrogram én gang om dagen. På resepten står det: «62.5 mcg daily, 5 to 10 doses»",
        .th:
          "ใช้ยาครั้งละ 62.5 ไมโครกรัม วันละ 1 ครั้ง ผู้สั่งยาเขียนว่า: “62.5 mcg daily, 5 to 10 doses”",
        .tr:
          "Günde 1 kez 62,5 mikrogram alın. Reçetede şöyle yazıyor: “62.5 mcg daily, 5 to 10 doses”",
      ],
      short: "62.5 micrograms · once a day"),
    Golden(
      name: "range",
      json: #"""
        {"timing": {"repeat": {"period": 4, "periodMax": 6, "periodUnit": "h"}}, "doseAndRate":
        [{"doseQuantity": {"value": 2.5, "code": "mL"}}]}
        """#,
      unvoiced: [],
      sentences: [
        .en:
          "Take 2.5 mL every 4 to 6 hours.",
        .de:
          "Nehmen Sie 2,5 ml, alle 4 bis 6 Stunden.",
        .nb:
          "Ta 2,5 ml hver 4. til 6. time.",
        .th:
          "ใช้ยาครั้งละ 2.5 มิลลิลิตร ทุก 4 ถึง 6 ชั่วโมง",
        .tr:
          "4 ila 6 saatte bir 2,5 ml alın.",
      ],
      short: "2.5 mL · every 4 to 6 hours"),
    Golden(
      name: "bed",
      json: #"""
        {"timing": {"repeat": {"when": ["HS"], "offset": 60}}, "doseAndRate": [{"doseQuantity":
        {"value": 1.5, "code": "{tablet}"}}]}
        """#,
      unvoiced: [],
      sentences: [
        .en:
          "Take one and a half tablets once a day, 1 hour before bedtime.",
        .de:
          "Nehmen Sie eineinhalb Tabletten ein, einmal täglich, 1 Stunde vor dem Schlafengehen.",
        .nb:
          "Ta en og en halv tablett én gang om dagen, 1 time før sengetid.",
        .th:
          "รับประทานครั้งละ 1 เม็ดครึ่ง วันละ 1 ครั้ง ก่อนนอน 1 ชั่วโมง",
        .tr:
          "Günde 1 kez, yatmadan 1 saat önce bir buçuk tablet alın.",
      ],
      short: "one and a half tablets · 1 hour before bedtime"),
    Golden(
      name: "until",
      json: #"""
        {"timing": {"repeat": {"frequency": 1, "frequencyMax": 2, "period": 1, "periodUnit": "d",
        "boundsPeriod": {"end": "2026-04-05T12:00:00+02:00"}}}, "route": {"text": "rectal"},
        "doseAndRate": [{"doseQuantity": {"value": 1, "code": "{suppository}"}}]}
        """#,
      unvoiced: [],
      sentences: [
        .en:
          "Insert 1 suppository into the rectum 1 to 2 times a day, until 5 April 2026 at 12:00.",
        .de:
          "Führen Sie 1 Zäpfchen in den Enddarm ein, 1- bis 2-mal täglich, bis 5. April 2026 um 12:00 Uhr.",
        .nb:
          "Før 1 stikkpille inn i endetarmen 1 til 2 ganger om dagen, til 5. april 2026 kl. 12:00.",
        .th:
          "เหน็บทางทวารหนักครั้งละ 1 แท่ง วันละ 1 ถึง 2 ครั้ง จนถึง 5 เมษายน 2569 เวลา 12:00 น.",
        .tr:
          "Günde 1 ila 2 kez, 5 Nisan 2026 saat 12:00 zamanına kadar 1 fitil makattan uygulayın.",
      ],
      short: "1 suppository · 1 to 2 times a day"),
    Golden(
      name: "other",
      json: #"""
        {"timing": {"repeat": {"frequency": 1, "period": 1, "periodUnit": "d"}}, "route": {"text":
        "feeding tube"}, "doseAndRate": [{"doseQuantity": {"value": 5, "code": "mL"}}]}
        """#,
      unvoiced: [],
      sentences: [
        .en:
          "Use 5 mL once a day. Route: “feeding tube”.",
        .de:
          "Wenden Sie 5 ml an, einmal täglich. Anwendungsart: „feeding tube“.",
        .nb:
          "Bruk 5 ml én gang om dagen. Bruksmåte: «feeding tube».",
        .th:
          "ใช้ยาครั้งละ 5 มิลลิลิตร วันละ 1 ครั้ง วิธีใช้: “feeding tube”",
        .tr:
          "Günde 1 kez 5 ml kullanın. Uygulama yolu: “feeding tube”.",
      ],
      short: "5 mL · once a day"),
    Golden(
      name: "nodose",
      json: #"""
        {"timing": {"repeat": {"frequency": 1, "period": 1, "periodUnit": "d"}}}
        """#,
      unvoiced: [],
      sentences: [
        .en:
          "Take this medicine once a day.",
        .de:
          "Wenden Sie dieses Arzneimittel an, einmal täglich.",
        .nb:
          "Bruk denne medisinen én gang om dagen.",
        .th:
          "ใช้ยานี้ วันละ 1 ครั้ง",
        .tr:
          "Günde 1 kez bu ilacı kullanın.",
      ],
      short: "once a day"),
    Golden(
      name: "text",
      json: #"""
        {"text": "Take as directed on the pack", "asNeededBoolean": true}
        """#,
      unvoiced: [],
      sentences: [
        .en:
          "“Take as directed on the pack” When needed.",
        .de:
          "„Take as directed on the pack“ Bei Bedarf.",
        .nb:
          "«Take as directed on the pack» Ved behov.",
        .th:
          "“Take as directed on the pack” เมื่อจำเป็น",
        .tr:
          "“Take as directed on the pack” Gerektiğinde.",
      ],
      short: "Take as directed on the pack"),
    Golden(
      name: "sequence",
      json: #"""
        [{"sequence": 1, "timing": {"repeat": {"frequency": 1, "period": 1, "periodUnit": "d",
        "boundsDuration": {"value": 3, "unit": "d"}}}, "doseAndRate": [{"doseQuantity": {"value":
        2, "unit": "tablets"}}]}, {"sequence": 2, "timing": {"repeat": {"frequency": 1, "period":
        1, "periodUnit": "d"}}, "doseAndRate": [{"doseQuantity": {"value": 1, "unit":
        "tablets"}}]}]
        """#,
      unvoiced: [],
      sentences: [
        .en:
          "First: Take 2 tablets once a day, for 3 days. Then: Take 1 tablet once a day.",
        .de:
          "Zuerst: Nehmen Sie 2 Tabletten ein, einmal täglich, für 3 Tage. Danach: Nehmen Sie 1 Tablette ein, einmal täglich.",
        .nb:
          "Først: Ta 2 tabletter én gang om dagen, i 3 dager. Deretter: Ta 1 tablett én gang om dagen.",
        .th:
          "ช่วงแรก: รับประทานครั้งละ 2 เม็ด วันละ 1 ครั้ง เป็นเวลา 3 วัน จากนั้น: รับประทานครั้งละ 1 เม็ด วันละ 1 ครั้ง",
        .tr:
          "Önce: Günde 1 kez, 3 gün boyunca 2 tablet alın. Sonra: Günde 1 kez 1 tablet alın.",
      ],
      short: "2 tablets · once a day; 1 tablet · once a day"),
  ]
}
