-- SPDX-License-Identifier: Apache-2.0
-- Renews tokens: each connection sends a refresh token of a file and goes on with the one that replaces it.
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "shared.lua")

function init(arguments)
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"
  client, tokens = os.getenv("BENCH_CLIENT"), {}
  each_of_share(os.getenv("BENCH_TOKENS"), function(token) tokens[#tokens + 1] = token end)
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
