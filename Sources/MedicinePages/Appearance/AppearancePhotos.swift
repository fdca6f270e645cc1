// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Media
import NIOCore
import Plans
import Presentation
import Storage
import Web

/// A reason that a file was not accepted as a photo of a medicine.
enum AppearancePhotoMistake: Error, Sendable, Hashable {
  case photo(PhotoMistake)
  /// The person has the maximum number of pictures.
  case noRoom

  private var word: String {
    switch self {
    case .photo(let mistake): mistake.rawValue
    case .noRoom: "no-room"
    }
  }

  func message(_ localizer: Localizer) -> String {
    localizer.text(
      "appearance.photo.problem",
      ["problem": .text(word), "megabytes": .number(PhotoReader.maximumFile / 1_048_576)])
  }

  var status: HTTPResponse.Status {
    switch self {
    case .photo(.tooLarge): .contentTooLarge
    case .photo(.notAPhoto): .unsupportedMediaType
    case .photo(.missing), .photo(.broken), .photo(.tooManyPixels), .noRoom: .unprocessableContent
    }
  }
}

/// Stores, removes and serves the photos of a medicine.
package enum AppearancePhotos {
  static let field = "photo"

  /// Returns the upload form of one photo position.
  static func form(_ plan: PlanID, place: Int) -> String {
    "\(AppearanceRoutes.address(of: plan))/photos/\(place)"
  }

  @Sendable static func save(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let call = try await call.visitingPlan(signedIn)
    let environment = call.environment
    do {
      let bytes = try await file(call)
      let plan = try await call.plan(of: signedIn, to: .update)
      let place = try place(call)
      let pictures = try await pictures(bytes, environment)
      let commands = AppearanceCommands(
        patient: plan.patient, context: environment.commandContext(for: signedIn, now: call.now))
      let cipher = environment.accounts.cipher
      try await environment.database.write { writer in
        do {
          try commands.keep(pictures, at: place, ofPlan: plan.id, cipher: cipher, in: writer)
        } catch AppearanceError.noRoom {
          throw AppearancePhotoMistake.noRoom
        }
      }
      environment.live.changed(plan.patient)
      return call.redirect(to: "\(AppearanceRoutes.address(of: plan.id))?done=photo#photos")
    } catch let mistake as AppearancePhotoMistake {
      return try await AppearanceRoutes.show(call, signedIn, photo: (try place(call), mistake))
    }
  }

  @Sendable static func remove(_ form: PostedForm) async throws -> Response {
    let plan = try await form.call.plan(of: form.signedIn, to: .update)
    let place = try place(form.call)
    try await form.run { context, writer in
      try AppearanceCommands(patient: plan.patient, context: context)
        .removePhoto(at: place, ofPlan: plan.id, in: writer)
    }
    form.call.environment.live.changed(plan.patient)
    return form.redirect(to: "\(AppearanceRoutes.address(of: plan.id))?done=removed#photos")
  }

  /// Serves the picture to viewers who are allowed to see the medicine; it is never cached.
  @Sendable static func picture(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = try PatientID(call.parameter("patient"))
    let authorization = try call.authorize(.read, "MedicationRequest", of: patient)
    let photo = try call.parameter("photo")
    let size = call.queryValue("size").flatMap(MedicinePhoto.Size.init(rawValue:)) ?? .large
    let environment = call.environment
    let cipher = environment.accounts.cipher
    let found = try await environment.database.read { reader in
      try AppearanceQueries.picture(photo, size, patient: patient, cipher: cipher, in: reader)
    }
    guard let bytes = found else { throw Failure.notFound }
    try await environment.audit(authorization, count: 1, at: call.now)
    return PhotoResponse.make(bytes)
  }

  // MARK: Steps

  private static func place(_ call: Call) throws -> Int {
    guard let place = Int(try call.parameter("place")), (1...MedicinePhoto.most).contains(place)
    else { throw Failure.notFound }
    return place
  }

  /// Both sizes, decoded within limits and encoded anew.
  private static func pictures(
    _ bytes: [UInt8], _ environment: ServerEnvironment
  ) async throws -> MedicinePictures {
    do {
      let large = try await environment.photos.photo(
        reading: bytes, side: MedicinePhoto.Size.large.side)
      let small = try await environment.photos.photo(
        reading: large.bytes, side: MedicinePhoto.Size.small.side)
      return MedicinePictures(
        large: large.bytes, small: small.bytes, width: large.width, height: large.height)
    } catch let problem as PhotoProblem {
      throw AppearancePhotoMistake.photo(PhotoMistake(problem))
    }
  }

  private static func file(_ call: Call) async throws -> [UInt8] {
    do {
      return try await ReceivedFile.read(call, field: field, maximum: PhotoReader.maximumFile).bytes
    } catch let problem as ReceivedFile.Problem {
      throw AppearancePhotoMistake.photo(problem == .missing ? .missing : .tooLarge)
    }
  }
}
