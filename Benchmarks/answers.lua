-- SPDX-License-Identifier: Apache-2.0
-- Answers each dose in a file once ("taken", each with its own event).
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "shared.lua")

function init(arguments)
  local headers = {
    ["Authorization"] = os.getenv("BENCH_AUTHORIZATION"), ["Content-Type"] = "application/json",
  }
  -- The event numbers of a second run on the same file begin elsewhere.
  local first = tonumber(os.getenv("BENCH_FIRST") or "0")
  local requests = {}
  each_of_share(os.getenv("BENCH_DOSES"), function(id, number)
    local event = string.format("%08x-0000-4000-8000-%012x", first + number, first + number)
    requests[#requests + 1] = wrk.format(
      "POST", "/api/v1/doses/" .. id .. "/answers", headers,
      '{"action":"taken","confirm":true,"event":"' .. event .. '"}')
  end)
  send_each_once(requests)
end
