-- SPDX-License-Identifier: Apache-2.0
-- Repeats one POST with the size of a push.
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "shared.lua")

wrk.method = "POST"
wrk.body = string.rep("x", tonumber(os.getenv("BENCH_BYTES")))
wrk.headers["Content-Encoding"] = "aes128gcm"
wrk.headers["Authorization"] = "vapid t=" .. string.rep("t", 220) .. ", k=" .. string.rep("k", 87)
wrk.headers["TTL"] = "3600"
wrk.headers["Urgency"] = "high"
