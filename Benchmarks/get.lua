-- SPDX-License-Identifier: Apache-2.0
-- Repeats one GET; headers come from the environment, results are printed as JSON.
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "shared.lua")

wrk.headers["Authorization"] = os.getenv("BENCH_AUTHORIZATION")
wrk.headers["Cookie"] = os.getenv("BENCH_COOKIE")
wrk.headers["Accept"] = os.getenv("BENCH_ACCEPT")
