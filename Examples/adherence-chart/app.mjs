// SPDX-License-Identifier: Apache-2.0

import { adherence, dayKey, lastDays } from "./adherence.mjs";
import { chart, table } from "./chart.mjs";
import { config } from "./config.mjs";
import { LaunchError, begin, finish, isReturning, search } from "./launch.mjs";

const part = (id) => document.getElementById(id);

function say(text) {
  part("status").textContent = text;
}

/** Shows what went wrong, with a way to try again. */
function fail(error) {
  say("");
  part("error").textContent = error instanceof LaunchError ? error.message : `Something went wrong: ${error.message}`;
  part("connect").hidden = false;
}

function show(result) {
  const sentence = result.percent === null
    ? "No scheduled doses."
    : `${result.taken} of ${result.planned} planned doses taken (${result.percent}%).`;
  part("result-title").textContent = `The last ${config.days} days`;
  part("total").textContent = sentence;
  part("chart").replaceChildren(chart(result, sentence));
  part("table").replaceChildren(table(result));
  const notes = [
    "Planned doses are computed from the schedules of active medicines as they are now.",
    ...result.unknown.map((name) => `Not counted, because this app does not know its schedule: ${name}`),
  ];
  part("notes").replaceChildren(...notes.map((note) => {
    const item = document.createElement("li");
    item.textContent = note;
    return item;
  }));
  part("result").hidden = false;
  say("");
}

async function read() {
  say("Reading…");
  const answer = await finish(config);
  const now = new Date();
  const patient = encodeURIComponent(answer.patient);
  // A day earlier, because the server compares instants and the chart shows local days.
  const since = dayKey(lastDays(config.days + 1, now)[0]);
  const [requests, administrations] = await Promise.all([
    search(config.fhirBase, `MedicationRequest?patient=${patient}&_count=100`, answer.access_token),
    search(
      config.fhirBase, `MedicationAdministration?patient=${patient}&effective-time=ge${since}&_count=100`,
      answer.access_token),
  ]);
  show(adherence(requests, administrations, config.days, now));
}

part("connect").addEventListener("click", () => {
  part("connect").hidden = true;
  part("error").textContent = "";
  say("Connecting…");
  begin(config).catch(fail);
});

if (isReturning()) {
  read().catch(fail);
} else {
  part("connect").hidden = false;
}
