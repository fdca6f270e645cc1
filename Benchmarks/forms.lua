-- SPDX-License-Identifier: Apache-2.0
-- Posts each form of a file once.
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "shared.lua")

function init(arguments)
  local headers = {["Content-Type"] = "application/x-www-form-urlencoded"}
  local requests = {}
  each_of_share(os.getenv("BENCH_FORMS"), function(form)
    requests[#requests + 1] = wrk.format("POST", nil, headers, form)
  end)
  send_each_once(requests)
end
