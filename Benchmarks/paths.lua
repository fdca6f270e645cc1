-- SPDX-License-Identifier: Apache-2.0
-- Gets the paths in a file one after the other, each thread from another place; prints the results as JSON.
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "shared.lua")

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
