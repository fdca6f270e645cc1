-- SPDX-License-Identifier: Apache-2.0
-- Repeats one GET; headers come from the environment, results are printed as JSON.
wrk.headers["Authorization"] = os.getenv("BENCH_AUTHORIZATION")
wrk.headers["Cookie"] = os.getenv("BENCH_COOKIE")
wrk.headers["Accept"] = os.getenv("BENCH_ACCEPT")

function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    'RESULT {"requests":%d,"seconds":%.3f,"p50":%.3f,"p99":%.3f,"errors":%d}',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
