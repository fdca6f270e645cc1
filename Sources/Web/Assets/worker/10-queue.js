// Presses are kept, encrypted, until the server has accepted them: with their event, their time,
// their account and person. They are sent only while that account is signed in.
const heldMilliseconds = 5000;
const settled = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});
// Only writes create the database, so that a look after signing out leaves nothing.
const inDatabase = async (file, stores, name, mode, work, isMaking = false) => {
  // Without a list of databases, opens it to see.
  const isThere = async () =>
    !indexedDB.databases || (await indexedDB.databases()).some((one) => one.name === file);
  if (!isMaking && !await isThere()) return undefined;
  const opening = indexedDB.open(file, 1);
  opening.onupgradeneeded = () => {
    if (!isMaking && indexedDB.databases) {
      opening.transaction.abort();
      return;
    }
    for (const [store, options] of stores) opening.result.createObjectStore(store, options);
  };
  const database = await settled(opening);
  try {
    return await settled(work(database.transaction(name, mode).objectStore(name)));
  } finally {
    database.close();
  }
};
const inStore = (...how) => inDatabase('regimen', [['queue', { keyPath: 'event' }], ['keys']], ...how);
// The key never leaves the browser; it is deleted with the last entry it encrypts.
const knownKey = () => inStore('keys', 'readonly', (store) => store.get('queue'));
const sealingKey = async () => {
  if (!await knownKey()) {
    const key = await crypto.subtle.generateKey(
      { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
    // Another event may have been first.
    await inStore('keys', 'readwrite', (store) => store.add(key, 'queue'), true).catch(() => {});
  }
  return knownKey();
};
const sealBy = async (key, value) => {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const plain = new TextEncoder().encode(JSON.stringify(value));
  return { iv, sealed: await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, plain) };
};
const unsealBy = async (key, { iv, sealed }) =>
  JSON.parse(new TextDecoder().decode(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, sealed)));
const seal = async (value) => sealBy(await sealingKey(), value);
const unseal = async (kept) => unsealBy(await knownKey(), kept);
const keep = async (event, pressed, entry) => {
  const sealed = await seal(entry);
  await inStore('queue', 'readwrite', (store) => store.put({ event, pressed, ...sealed }), true);
};
const forget = (event) => inStore('queue', 'readwrite', (store) => store.delete(event));
// An account's name, to show whose entries are queued here.
const nameKey = (account) => `name ${account}`;
const nameOf = async (account) => {
  const kept = await inStore('keys', 'readonly', (store) => store.get(nameKey(account)));
  return kept && unseal(kept).catch(() => undefined);
};
const remember = async ({ account, name }) => {
  if (!account || !name || await nameOf(account) === name) return;
  const sealed = await seal(name);
  await inStore('keys', 'readwrite', (store) => store.put(sealed, nameKey(account)), true);
};
// A hanging connection must not block the rest of the queue.
const soonOver = () => AbortSignal.timeout(20000);
const post = (path, body, { account, patient } = {}) => fetch(path, {
  method: 'POST', body: JSON.stringify(body ?? {}), signal: soonOver(),
  headers: {
    'Content-Type': 'application/json',
    ...(account && { 'Regimen-Account': account }), ...(patient && { 'Regimen-Patient': patient }),
  },
});
// Returns the signed-in account, the start of its session, and how far the server's clock is ahead of this
// device's.
const visit = async () => {
  const begun = Date.now();
  const answer = await fetch('/device/clock', { cache: 'no-store', signal: soonOver() });
  if (!answer.ok) throw new Error('no clock');
  const { now, account, since } = await answer.json();
  return { account, since, ahead: now - (begun + Date.now()) / 2 };
};
// Entries of earlier versions name no account: they belong to the account signed in before the
// press.
const isMadeBy = ({ account, pressed }, here) =>
  account ? account === here.account : pressed + here.ahead >= here.since;
const isForLater = (status) =>
  [401, 403, 408, 425, 429].includes(status) || status >= 500;
// The outcomes of a refused form. Its content is kept, so that it can be opened again.
const formOutcomes = { unlikely: 'unlikely', conflict: 'changed', 'wrong-account': 'waiting' };
// Sends one entry; returns its outcome, or throws if it has to wait.
const sendOne = async ({ event, pressed, path, body, account, patient, isLate, form }, here) => {
  const held = Date.now() - pressed;
  if (body?.action === 'later') {
    const left = Math.ceil(body.minutes - held / 60000);
    if (left < 1) return 'done';
    body.minutes = left;
  } else if (body && (form || isLate || held > heldMilliseconds)) {
    // A queued event has happened, and says when.
    body.at ??= new Date(pressed + here.ahead).toISOString();
  }
  const { confirm, ...plain } = body ?? {};
  const send = async (more) => {
    const answer = await post(path, body && { ...plain, ...more, event }, { account, patient });
    return { status: answer.status, refusal: answer.ok ? {} : await answer.json().catch(() => ({})) };
  };
  let { status, refusal } = await send();
  if (refusal.code === 'confirm') {
    // The event has happened. Only one question remains: whether it counts for a dose that was not
    // due yet.
    const confirmed = [confirm ?? []].flat().map(String);
    const isAnswered = refusal.early
      ? confirmed.some((key) => key.startsWith('early-')) : confirmed.length > 0 || isLate || held > heldMilliseconds;
    if (isAnswered) ({ status, refusal } = await send({ confirm: true }));
  }
  if (status >= 200 && status < 300) return 'done';
  // The account is signed in, so that 403 is the answer: the person no longer shares it.
  if (isForLater(status) && !(form && status === 403)) throw new Error('wait');
  if (form) return formOutcomes[refusal.code] ?? 'unsaved';
  if (status !== 409) return body ? 'failed' : 'done';
  // Only these codes need no answer; other refusals have to be shown.
  const outcomes = {
    answered: 'answered', stale: 'answered', cancelled: 'answered', confirm: 'asked', 'wrong-account': 'waiting',
  };
  return outcomes[refusal.code] ?? (body ? 'failed' : 'done');
};
// The outcomes that a page waits for, whichever round sent the event: a round may include events of
// another.
const awaited = new Map();
let sending = Promise.resolve();
const oneByOne = (work) => {
  sending = sending.catch(() => {}).then(work);
  return sending;
};
const entries = async () => {
  const kept = await inStore('queue', 'readonly', (store) => store.getAll()) ?? [];
  return kept.sort((a, b) => a.pressed - b.pressed);
};
// Sends all entries of the signed-in account, in order. An outcome that no page waits for is kept
// until one has shown it.
const flush = () => oneByOne(async () => {
  const kept = await entries();
  if (!kept.length) return;
  const here = await visit().catch(() => undefined);
  let isChanged = false;
  for (const { event, pressed, ...sealed } of kept) {
    let outcome = 'kept';
    try {
      const entry = { event, pressed, ...await unseal(sealed) };
      if (entry.outcome) continue;
      if (!here) throw new Error('wait');
      outcome = isMadeBy(entry, here) ? await sendOne(entry, here) : 'waiting';
      if (outcome !== 'waiting') {
        const isNews = outcome !== 'done' && entry.about && !awaited.has(event);
        await (isNews ? keep(event, pressed, { ...entry, outcome }) : forget(event));
        isChanged = true;
      }
    } catch {
      await registration.sync?.register('queue').catch(() => {});
    }
    if (awaited.has(event)) awaited.set(event, outcome);
  }
  if (!isChanged) return;
  for (const window of await windows()) window.postMessage({ queue: 'sent' });
  renewCopy('/').then(renewForms);
  showBadge();
});
// Marks answers that a page failed to send: they are sent as facts, without questions.
const markLate = (events) => oneByOne(async () => {
  for (const { event, pressed, ...sealed } of await entries()) {
    if (!events.includes(event)) continue;
    const entry = await unseal(sealed).catch(() => undefined);
    if (entry) await keep(event, pressed, { ...entry, isLate: true });
  }
});
let keeping = Promise.resolve();
// Queues answers: `about` is the dose, `label` and `said` are shown only to the account itself. `form` is the form
// as it was filled in, if it can be opened again.
const keepAnswers = async (answers, pressed, { account, patient }, isLate) => {
  for (const { dose, path, event, about = dose, label, said, form, ...body } of answers) {
    const address = path ?? `/api/v1/doses/${encodeURIComponent(dose)}/answers`;
    await keep(event, pressed, { path: address, body, account, patient, about, label, said, form, isLate });
  }
};
// Queues answers and sends them; returns the outcome to show.
const answerDoses = async (answers, pressed, owner) => {
  const events = answers.map(({ event }) => event);
  for (const event of events) awaited.set(event, 'kept');
  try {
    await keepAnswers(answers, pressed, owner);
    await remember(owner).catch(() => {});
    await flush();
    const found = events.map((event) => awaited.get(event));
    return ['failed', 'asked', 'answered', 'waiting', 'kept', 'done'].find((one) => found.includes(one));
  } finally {
    for (const event of events) awaited.delete(event);
  }
};
// Returns entries made by people; reports of a shown notification belong to no one.
const pressedEntries = async () => {
  const found = [];
  for (const { event, ...sealed } of await entries()) {
    if (event.startsWith('shown ')) continue;
    const { account } = await unseal(sealed).catch(() => ({}));
    found.push({ event, account });
  }
  return found;
};
// Returns the names of other accounts with queued entries; null for an unknown name.
const waiting = async (account) => {
  const others = (await pressedEntries()).map((one) => one.account).filter((one) => one !== account);
  return Promise.all([...new Set(others)].map(async (one) => (one && await nameOf(one)) ?? null));
};
// Returns an account's queued answers, and the outcomes that it has not seen yet.
const mine = async (account) => {
  const found = [];
  for (const { event, pressed, ...sealed } of await entries()) {
    const entry = await unseal(sealed).catch(() => ({}));
    if (!entry.about || entry.account !== account) continue;
    const { about, label, said, outcome, body, form, patient } = entry;
    const at = Date.parse(body?.at) || pressed;
    found.push({ event, at, about, label, said, outcome, form, patient, action: body?.action });
  }
  return found;
};
// Removes cancelled entries and those whose outcome was seen.
const drop = async (events) => {
  await keeping;
  return oneByOne(() => Promise.all(events.map(forget)));
};
// After signing out, keeps only queued entries; of an erased account, nothing.
const tidy = (erased) => oneByOne(async () => {
  await clearBadge();
  await forgetCopies();
  for (const notification of await registration.getNotifications()) notification.close();
  const pressed = await pressedEntries();
  const left = pressed.filter(({ account }) => !erased || account !== erased);
  if (!left.length) {
    await settled(indexedDB.deleteDatabase('regimen'));
    return 'empty';
  }
  const stays = new Set(left.map(({ event }) => event));
  for (const { event } of await entries()) if (!stays.has(event)) await forget(event);
  const names = new Set(['queue', ...left.map(({ account }) => nameKey(account))]);
  for (const key of await inStore('keys', 'readonly', (store) => store.getAllKeys()) ?? []) {
    if (!names.has(key)) await inStore('keys', 'readwrite', (store) => store.delete(key));
  }
  return 'kept';
});
