-- SPDX-License-Identifier: Apache-2.0
-- Posts each form of a file once. The threads share the file; a thread without forms left stops, so that no
-- request is a repeat.
local share = 0

function setup(thread)
  thread:set("share", share)
  share = share + 1
end

function init(arguments)
  local threads = tonumber(os.getenv("BENCH_THREADS"))
  local headers = {["Content-Type"] = "application/x-www-form-urlencoded"}
  requests, position = {}, 0
  local number = 0
  for form in io.lines(os.getenv("BENCH_FORMS")) do
    if number % threads == wrk.thread:get("share") then
      requests[#requests + 1] = wrk.format("POST", nil, headers, form)
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
