-- SPDX-License-Identifier: Apache-2.0
-- Repeats one POST with the size of a push.
wrk.method = "POST"
wrk.body = string.rep("x", tonumber(os.getenv("BENCH_BYTES")))
wrk.headers["Content-Encoding"] = "aes128gcm"
wrk.headers["Authorization"] = "vapid t=" .. string.rep("t", 220) .. ", k=" .. string.rep("k", 87)
wrk.headers["TTL"] = "3600"
wrk.headers["Urgency"] = "high"

function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    'RESULT {"requests":%d,"seconds":%.3f,"p50":%.3f,"p99":%.3f,"errors":%d}',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
