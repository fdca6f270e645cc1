-- SPDX-License-Identifier: Apache-2.0
-- Gets the paths in a file one after the other, each thread from another place; prints the results as JSON.
local threads = 0

function setup(thread)
  thread:set("share", threads)
  threads = threads + 1
end

function init(arguments)
  local headers = {
    ["Authorization"] = os.getenv("BENCH_AUTHORIZATION"), ["Accept"] = os.getenv("BENCH_ACCEPT"),
  }
  requests = {}
  for path in io.lines(os.getenv("BENCH_PATHS")) do
    requests[#requests + 1] = wrk.format("GET", path, headers)
  end
  position = wrk.thread:get("share") * math.floor(#requests / 2)
end

function request()
  position = position % #requests + 1
  return requests[position]
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    'RESULT {"requests":%d,"seconds":%.3f,"p50":%.3f,"p99":%.3f,"errors":%d}',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
