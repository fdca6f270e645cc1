// SPDX-License-Identifier: Apache-2.0

import Access
import Localization
import SiteMap
import Web

/// A page, or a part of one, that the search finds by its title and by other words for it.
enum SearchablePage: String, Sendable, CaseIterable {
  case devices, escalation, alarms, sounds, ring, simple, status, offline
  case quietHours = "quiet-hours"
  case weekends
  case birthDate = "birth-date"
  case allergies, weight, photo, conditions, contacts
  case zone, meals, travel
  case account, security, services
  case privacy, phone, hospitals, calendar, widgets, stickers, programs
  case heartFile = "heart-file"
  case homeDevices = "home-devices"
  case studies
  case appearance, language, help, about
  case people, chat, messages, doctors, children
  case emergencyCard = "emergency-card"
  case supply, interactions
  case medicineImport = "medicine-import"
  case simplification
  case asNeeded = "as-needed"
  case topics, progress, charts, history, report
  case heartRate = "heart-rate"

  /// A condition for showing a page to a viewer.
  enum Condition: Sendable {
    case none
    /// Only for those who act for the person shown.
    case acting
    /// Only if this category is shared.
    case sharing(DataCategory)
  }

  /// The condition for showing the page.
  var condition: Condition {
    switch self {
    case .devices, .offline, .escalation, .account, .security, .services, .programs, .appearance,
      .language, .help, .about, .people, .chat, .messages, .doctors, .children, .topics:
      .none
    case .interactions, .asNeeded: .sharing(.medicines)
    case .supply: .sharing(.stock)
    case .progress, .charts, .history: .sharing(.adherence)
    case .heartRate: .sharing(.heartRate)
    case .alarms, .sounds, .ring, .simple, .status, .quietHours, .weekends, .birthDate, .allergies,
      .weight, .photo, .conditions, .contacts, .zone, .meals, .travel, .privacy, .phone,
      .hospitals, .calendar, .widgets, .stickers, .homeDevices, .heartFile, .emergencyCard,
      .medicineImport,
      .simplification, .report, .studies:
      .acting
    }
  }

  /// The address and the key of the title.
  var target: (address: String, title: MessageKey) {
    switch self {
    case .devices: (Address.devices, "device.title")
    case .escalation: (Address.escalation, "escalation.title")
    case .alarms: (Address.alarms, "alarms.title")
    case .sounds: (Address.alarmSounds, "alarms.sounds")
    case .ring: (Address.ring, "ring.title-armed")
    case .simple: (Address.simpleView, "simple.link")
    case .status: (Address.status, "status.title")
    case .offline: (Address.offline, "offline.page.title")
    case .quietHours: (Address.quietHours, "escalation.quiet")
    case .weekends: (Address.sleepIn, "alarms.mornings")
    case .birthDate: (Address.healthProfile, "details.form.birth-date")
    case .allergies: ("\(Address.healthProfile)#allergies", "health-profile.allergies.title")
    case .weight: ("\(Address.healthProfile)#weights", "health-profile.weights.title")
    case .photo: ("\(Address.healthProfile)#photo", "health-profile.photo.title")
    case .conditions: ("\(Address.interactions)#conditions", "me.conditions")
    case .contacts: (Address.medicalContacts, "me.contacts.title")
    case .zone: (Address.routine, "details.form.zone")
    case .meals: (Address.routine, "details.form.section-rhythm")
    case .travel: (Address.travel, "travel.title")
    case .account: (Address.account, "me.name-and-contact")
    case .security: (Address.accountSecurity, "account-security.title")
    case .services: (IdentitiesPage.path, "providers.title")
    case .privacy: (Address.privacy, "privacy.title")
    case .phone: (Address.heartRatePhone, "heart-rate.phone.title")
    case .hospitals: (Address.hospitals, "hospitals.title")
    case .calendar: (Address.calendar, "calendar.feed.title")
    case .widgets: (Address.widgets, "widgets.title")
    case .homeDevices: (Address.homeDevices, "home-devices.title")
    case .stickers: (Address.stickers, "stickers.title")
    case .studies: (Address.studies, "studies.title")
    case .programs: (Address.programs, "tokens.title")
    case .heartFile: (Address.heartRateImport, "heart-rate.import.title")
    case .appearance: (Address.appearance, "parts.display.theme")
    case .language: (Address.appearance, "parts.display.language")
    case .help: (Address.help, "help.questions")
    case .about: (Address.about, "feedback.title")
    case .people: (Address.people, "people.title")
    case .chat: (Address.conversations, "chat.title")
    case .messages: (Address.caregiverMessages, "caregiver-messages.title")
    case .doctors: (Address.practitionerDirectory, "care-team.directory.title")
    case .children: (Address.children, "children.title")
    case .emergencyCard: (Address.emergencyCard, "emergency-card.title")
    case .supply: (Address.supply, "stock.title")
    case .interactions: (Address.interactions, "interactions.link")
    case .medicineImport: (Address.medicineImport, "import.link")
    case .simplification: (Address.simplification, "simplification.title")
    case .asNeeded: (Address.asNeeded, "as-needed.title")
    case .topics: (Address.knowledge, "knowledge.title")
    case .progress: (Address.progress, "progress.title")
    case .charts: (Address.charts, "charts.title")
    case .history: (Address.history, "history.title")
    case .report: (Address.report, "report.title")
    case .heartRate: (Address.heartRate, "heart-rate.title")
    }
  }

  /// Returns the title of the page.
  func title(_ localizer: Localizer) -> String { localizer.text(target.title) }

  /// Returns other words that people use for the page.
  func words(_ localizer: Localizer) -> String {
    localizer.text("search.words", ["page": .text(rawValue)])
  }

  /// Returns true if the page can be opened with the right to the person shown.
  func isOpen(to right: PatientRight?, hasServices: Bool) -> Bool {
    if self == .services, !hasServices { return false }
    guard let right else { return true }
    return switch condition {
    case .none: true
    case .acting: right.relationship.actsForPatient
    case .sharing(let category): right.shares(category)
    }
  }
}
