-- SPDX-License-Identifier: Apache-2.0
-- Posts events of devices whose tokens are in a file, BENCH_BATCH in each report, never the same event twice.
local share = 0

function setup(thread)
  thread:set("share", share)
  share = share + 1
end

function init(arguments)
  local threads = tonumber(os.getenv("BENCH_THREADS"))
  tokens, position, sequence = {}, 0, 0
  batch = tonumber(os.getenv("BENCH_BATCH"))
  boot = os.getenv("BENCH_BOOT") .. wrk.thread:get("share")
  local number = 0
  for token in io.lines(os.getenv("BENCH_TOKENS")) do
    if number % threads == wrk.thread:get("share") then tokens[#tokens + 1] = token end
    number = number + 1
  end
end

function request()
  position = position % #tokens + 1
  local events = {}
  for index = 1, batch do
    sequence = sequence + 1
    events[index] = '{"sequence":' .. sequence .. ',"event":"opened"}'
  end
  local headers = {
    ["Authorization"] = "Bearer " .. tokens[position], ["Content-Type"] = "application/json",
  }
  local body = '{"boot":"' .. boot .. '","events":[' .. table.concat(events, ",") .. "]}"
  return wrk.format("POST", "/api/v1/home-devices/events", headers, body)
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    'RESULT {"requests":%d,"seconds":%.3f,"p50":%.3f,"p99":%.3f,"errors":%d}',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
