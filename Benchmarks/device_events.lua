-- SPDX-License-Identifier: Apache-2.0
-- Posts events of devices whose tokens are in a file, BENCH_BATCH in each report, never the same event twice.
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "shared.lua")

function init(arguments)
  tokens, position, sequence = {}, 0, 0
  batch = tonumber(os.getenv("BENCH_BATCH"))
  boot = os.getenv("BENCH_BOOT") .. wrk.thread:get("share")
  each_of_share(os.getenv("BENCH_TOKENS"), function(token) tokens[#tokens + 1] = token end)
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
