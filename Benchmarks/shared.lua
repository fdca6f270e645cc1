-- SPDX-License-Identifier: Apache-2.0
-- Shared by the load scripts, which run it first: the lines of a file divided among the threads, and the results.
local share = 0

function setup(thread)
  thread:set("share", share)
  share = share + 1
end

-- Calls a function with each line of this thread's share of a file, and the line's number in the file.
function each_of_share(path, use)
  local threads = tonumber(os.getenv("BENCH_THREADS"))
  local number = 0
  for line in io.lines(path) do
    if number % threads == wrk.thread:get("share") then use(line, number) end
    number = number + 1
  end
end

-- Sends the prepared requests in order; a thread without any left stops, so that no request is a repeat.
function send_each_once(requests)
  local position = 0
  function request()
    position = position + 1
    if position >= #requests then wrk.thread:stop() end
    return requests[math.min(position, #requests)]
  end
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    'RESULT {"requests":%d,"seconds":%.3f,"p50":%.3f,"p99":%.3f,"errors":%d}',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
