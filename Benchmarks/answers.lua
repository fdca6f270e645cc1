-- SPDX-License-Identifier: Apache-2.0
-- Answers each dose in a file once ("taken", each with its own event). The threads share the file;
-- a thread without doses left stops, so that no request is a repeat.
local share = 0

function setup(thread)
  thread:set("share", share)
  share = share + 1
end

function init(arguments)
  local threads = tonumber(os.getenv("BENCH_THREADS"))
  requests, position = {}, 0
  local headers = {
    ["Authorization"] = os.getenv("BENCH_AUTHORIZATION"), ["Content-Type"] = "application/json",
  }
  -- The event numbers of a second run on the same file begin elsewhere.
  local first = tonumber(os.getenv("BENCH_FIRST") or "0")
  local number = 0
  for id in io.lines(os.getenv("BENCH_DOSES")) do
    if number % threads == wrk.thread:get("share") then
      local event = string.format("%08x-0000-4000-8000-%012x", first + number, first + number)
      requests[#requests + 1] = wrk.format(
        "POST", "/api/v1/doses/" .. id .. "/answers", headers,
        '{"action":"taken","confirm":true,"event":"' .. event .. '"}')
    end
    number = number + 1
  end
end

function request()
  position = position + 1
  if position >= #requests then wrk.thread:stop() end
  return requests[math.min(position, #requests)]
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    'RESULT {"requests":%d,"seconds":%.3f,"p50":%.3f,"p99":%.3f,"errors":%d}',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
