// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// A program run with given arguments and input, in its own process group.
///
/// Its output is discarded, because mail programs print addresses.
final class ChildProgram: Sendable {
  /// A failure to start, with the system's errno.
  enum StartError: Error {
    /// The input could not be prepared.
    case input(Int32)
    /// The program could not be run.
    case program(Int32)
  }

  enum End: Sendable, Hashable {
    case exited(Int32)
    /// The program was ended by ``kill()``.
    case killed
    case signalled(Int32)
  }

  private struct State {
    var isKilled = false
    var isReaped = false
  }

  private let process: pid_t
  private let state = Mutex(State())

  /// Starts the program; the first argument is its file, which is not searched for.
  ///
  /// The input is a complete file in memory, so nothing has to be fed to the program while it runs.
  init(
    arguments: [String], input: [UInt8], environment: [String]
  ) throws(StartError) {
    let file = try Self.memoryFile(holding: input)
    defer { close(file) }

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var code = posix_spawn_file_actions_adddup2(&actions, file, 0)
    for descriptor in [1, 2] as [Int32] where code == 0 {
      code = posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
    }
    // Do not pass on databases, sockets or other mails that a library opened as inheritable.
    for descriptor in Self.openDescriptors where code == 0 && descriptor > 2 {
      code = posix_spawn_file_actions_addclose(&actions, descriptor)
    }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    // The server ignores and blocks some signals; the program starts with the defaults.
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    guard code == 0, let path = arguments.first else { throw .program(code) }
    var started = pid_t()
    code = Self.withCStrings(arguments) { arguments in
      Self.withCStrings(environment) { environment in
        posix_spawn(&started, path, &actions, &attributes, arguments, environment)
      }
    }
    guard code == 0 else { throw .program(code) }
    process = started
  }

  /// Ends the program and everything in its group; does nothing after its end.
  func kill() {
    state.withLock { state in
      // Until it is reaped, its number belongs to no other process.
      guard !state.isReaped else { return }
      state.isKilled = true
      _ = Foundation.kill(-process, SIGKILL)
    }
  }

  /// Blocks until the program ends; call it only once.
  func wait() -> End {
    var information = siginfo_t()
    while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    return state.withLock { state in
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      state.isReaped = true
      let signal = status & 0x7F
      if signal == 0 { return .exited(status >> 8 & 0xFF) }
      return state.isKilled && signal == SIGKILL ? .killed : .signalled(signal)
    }
  }

  private static let fileNumbers = Atomic<UInt64>(0)

  /// Creates a file without a name, which exists only in memory and is closed in child programs.
  private static func memoryFile(holding input: [UInt8]) throws(StartError) -> Int32 {
    var file: Int32 = -1
    repeat {
      let number = fileNumbers.add(1, ordering: .relaxed).newValue
      let name = "/regimen-mail-\(getpid())-\(number)"
      file = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0o600)
      if file >= 0 { shm_unlink(name) }
    } while file < 0 && errno == EEXIST
    guard file >= 0 else { throw .input(errno) }
    var rest = input[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else {
        let code = errno
        close(file)
        throw .input(code)
      }
      rest = rest.dropFirst(written)
    }
    lseek(file, 0, SEEK_SET)
    return file
  }

  private static var openDescriptors: [Int32] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    return (names ?? []).compactMap { Int32($0) }
  }

  private static func withCStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let pointers = texts.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
  }
}
