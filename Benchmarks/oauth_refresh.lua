-- SPDX-License-Identifier: Apache-2.0
-- Renews tokens: each connection sends a refresh token of a file and goes on with the one that replaces it.
local share = 0

function setup(thread)
  thread:set("share", share)
  share = share + 1
end

function init(arguments)
  local threads = tonumber(os.getenv("BENCH_THREADS"))
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"
  client, tokens, number = os.getenv("BENCH_CLIENT"), {}, 0
  for token in io.lines(os.getenv("BENCH_TOKENS")) do
    if number % threads == wrk.thread:get("share") then tokens[#tokens + 1] = token end
    number = number + 1
  end
end

function request()
  -- Each token works once, so that a connection without one would only measure refusals.
  local token = table.remove(tokens) or "none"
  return wrk.format(
    nil, nil, nil, "grant_type=refresh_token&client_id=" .. client .. "&refresh_token=" .. token)
end

function response(status, headers, body)
  local token = status == 200 and string.match(body, '"refresh_token":"([^"]+)"')
  if token then tokens[#tokens + 1] = token end
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    'RESULT {"requests":%d,"seconds":%.3f,"p50":%.3f,"p99":%.3f,"errors":%d}',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
