// SPDX-License-Identifier: Apache-2.0

/// The addresses of pages that other features link to.
///
/// A feature names its own page here, so that no feature imports another one only for a link. Addresses below such
/// a page, and pages that only their own feature links to, stay with the feature.
package enum Address {
  // MARK: A person's medicines

  /// The list of medicines.
  package static let medicines = "/medicines"
  /// The as-needed medicines.
  package static let asNeeded = "/as-needed"
  /// Returns the page of the site of a dose, by the id of its MedicationAdministration.
  package static func site(of administration: String) -> String { "/sites/\(administration)" }
  /// The children whose medicines the account manages.
  package static let children = "/children"
  /// The dose tables and their approval.
  package static let doseTables = "/knowledge/doses"
  /// The interactions of a person's medicines.
  package static let interactions = "/interactions"
  /// The target of the form that acknowledges an interaction.
  package static let knownInteractions = "/interactions/known"
  /// The topics and the medicine search.
  package static let knowledge = "/knowledge"
  /// The form that suggests fewer times a day.
  package static let simplification = "/medicines/simplify"
  /// The supply of medicines.
  package static let supply = "/stock"
  /// The question about doses in another time zone.
  package static let travel = "/travel"

  // MARK: Doses

  /// The alarms.
  package static let alarms = "/alarms"
  /// The sounds of alarms and reminders.
  package static let alarmSounds = "/alarms/sounds"
  /// The devices and channels that reminders arrive on.
  package static let devices = "/device"
  /// The studies that a person can take part in.
  package static let studies = "/studies"
  /// Pill boxes and other devices in the home that report.
  package static let homeDevices = "/home-devices"
  /// The doses without an answer in time.
  package static let missedDoses = "/missed"
  /// The choice of the pages that open without a network on a device.
  package static let offline = "/device/offline"
  /// The steps for setting up reminders on a device.
  package static let reminderSetup = "/device/start"
  /// The page that rings while it is open.
  package static let ring = "/ring"

  /// The link that shows doses in a calendar program.
  package static let calendar = "/calendar"
  /// The addresses at which widgets and watch faces read what is due.
  package static let widgets = "/widgets"
  /// The stickers on boxes and shelves.
  package static let stickers = "/stickers"
  /// The simple view of today.
  package static let simpleView = "/simple"

  // MARK: Files and other systems

  /// The instructions for sending measurements from a phone.
  package static let heartRatePhone = "/heart-rate/phone"
  /// The form that imports a file of measurements.
  package static let heartRateImport = "/heart-rate/import"
  /// The hospitals whose prescriptions are fetched.
  package static let hospitals = "/hospitals"
  /// The form that imports medicines from a file.
  package static let medicineImport = "/import"
  /// The resource of the JSON API to which phones send measurements.
  package static let vitalsAPI = "/api/v1/vitals"

  // MARK: Reports

  /// The overview of adherence, heart rate, history and the report.
  package static let progress = "/progress"
  /// The history of all medicines.
  package static let history = "/history"
  /// The charts over all medicines.
  package static let charts = "/report/charts"
  /// The diary of symptoms, mood and measurements.
  package static let diary = "/diary"
  /// The page that records a symptom in the diary.
  package static let symptom = "\(diary)/trackers/symptom"
  /// The heart rate, steps and weight of a person.
  package static let heartRate = "/heart-rate"
  /// The graph of heart rate monitoring.
  package static let heartRateGraph = "/heart-rate/monitoring/graph"
  /// The overview of heart rate monitoring.
  package static let heartRateMonitoring = "/heart-rate/monitoring"
  /// The questionnaires that are due, and earlier answers.
  package static let questionnaires = "/questionnaires"
  /// The report for a visit.
  package static let report = "/report"
  /// Returns the page that lays a medicine's doses beside measured values.
  package static func effect(of plan: String) -> String { "/medicines/\(plan)/effect" }

  // MARK: The people around a person

  /// The inbox of messages to caregivers.
  package static let caregiverMessages = "/caregiver-messages"
  /// The practitioner's panel of patients.
  package static let careTeam = "/care"
  /// The conversations between a person and the people who support them.
  package static let conversations = "/chat"
  /// The settings of reminders and of their escalation.
  package static let escalation = "/reminders"
  /// The directory in which patients find a practitioner.
  package static let practitionerDirectory = "/doctors"
  /// The people who are informed if no one answers a reminder.
  package static let escalationFamily = "/reminders/family"
  /// The quiet hours and the wording of reminders.
  package static let quietHours = "/reminders/quiet"
  /// The later reminders of weekends and holidays.
  package static let sleepIn = "/reminders/mornings"
  /// The templates that a practitioner prescribes from.
  package static let prescriptionTemplates = "/care/templates"

  // MARK: Me

  /// The list of a person's settings.
  package static let me = "/me"
  /// The name and contact details of a person, and the account.
  package static let account = "/me/account"
  /// The display choices: language, colours and text size.
  package static let appearance = "/me/appearance"
  /// The connections to watches, hospitals, calendars and programs.
  package static let connections = "/me/connections"
  /// The birth date, allergies, weights and photo of a person.
  package static let healthProfile = "/me/health-profile"
  /// The doctor and pharmacy of a person.
  package static let medicalContacts = "/me/contacts"
  /// The list of a practitioner's pages about their own medicines.
  package static let ownHealth = "/me/my-health"
  /// The list of everything about reminders.
  package static let reminderSettings = "/me/reminders"
  /// The apps that the account has connected.
  package static let connectedApps = "/me/apps"
  /// The apps that can be opened for a person; the query may name the person.
  package static let appGallery = "/me/apps/start"
  /// The programs that the account has given access with a token.
  package static let programs = "/me/programs"
  /// The time zone, meals and sleep of a person.
  package static let routine = "/me/routine"

  // MARK: The account

  /// The ways to sign in, and sessions.
  package static let accountSecurity = "/account/security"
  /// The form for access in an emergency.
  package static let emergencyAccess = "/emergency"
  /// The emergency card.
  package static let emergencyCard = "/emergency-card"
  /// The people whose data the account can see.
  package static let people = "/people"
  /// The form of a new account.
  package static let signUp = "/sign-up"
  /// The settings that a new account confirms.
  package static let start = "/start"
  /// The question about whom a new account is for.
  package static let startWho = "/start/for"
  /// The form in which a signed-in account confirms its identity again.
  package static let proof = "/account/security/prove"

  // MARK: The installation

  /// The description of this installation.
  package static let about = "/about"
  /// The measurements of this program, and everything that has not been measured.
  package static let evidence = "/about/evidence"
  /// The answers to common questions.
  package static let help = "/help"
  /// The search over medicines, people, settings and help.
  package static let search = "/search"
  /// The access log, the copy of everything and the deletion of a person.
  package static let privacy = "/privacy"
  /// The state of the reminders and, for administrators, of the server.
  package static let status = "/status"
  /// The instructions for trusting the certificates of a home.
  package static let trust = "/trust"
}
