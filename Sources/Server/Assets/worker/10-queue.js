// What was pressed is kept, sealed, until the server took it: with its event and its time.
const heldMilliseconds = 5000;
const settled = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});
// Only who keeps something makes the database: a look at it after signing out leaves nothing behind.
const inStore = async (name, mode, work, isMaking = false) => {
  // Where a browser cannot tell, it is looked into.
  const isThere = async () =>
    !indexedDB.databases || (await indexedDB.databases()).some((one) => one.name === 'regimen');
  if (!isMaking && !await isThere()) return undefined;
  const opening = indexedDB.open('regimen', 1);
  opening.onupgradeneeded = () => {
    if (!isMaking && indexedDB.databases) {
      opening.transaction.abort();
      return;
    }
    opening.result.createObjectStore('queue', { keyPath: 'event' });
    opening.result.createObjectStore('keys');
  };
  const database = await settled(opening);
  try {
    return await settled(work(database.transaction(name, mode).objectStore(name)));
  } finally {
    database.close();
  }
};
// The key never leaves the browser; signing out removes it with all that it seals.
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
const keep = async (event, pressed, entry) => {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv }, await sealingKey(), new TextEncoder().encode(JSON.stringify(entry)));
  await inStore('queue', 'readwrite', (store) => store.put({ event, pressed, iv, sealed }), true);
};
const forget = (event) => inStore('queue', 'readwrite', (store) => store.delete(event));
const post = (path, body) => fetch(path, {
  method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body ?? {}),
});
// How far the server's clock is ahead of this device's.
const clockDifference = async () => {
  const begun = Date.now();
  const answer = await fetch('/device/clock', { cache: 'no-store' });
  if (!answer.ok) throw new Error('no clock');
  return (await answer.json()).now - (begun + Date.now()) / 2;
};
const isForLater = (status) =>
  [401, 403, 408, 425, 429].includes(status) || status >= 500;
// One entry: what came of it, or an error where it has to wait.
const sendOne = async ({ event, pressed, iv, sealed }) => {
  const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, await knownKey(), sealed);
  const { path, body } = JSON.parse(new TextDecoder().decode(plain));
  const held = Date.now() - pressed;
  if (body?.action === 'later') {
    const left = Math.ceil(body.minutes - held / 60000);
    if (left < 1) return 'done';
    body.minutes = left;
  } else if (body && held > heldMilliseconds) {
    // What was kept has happened: it says when, and asks nothing.
    body.at = new Date(pressed + await clockDifference()).toISOString();
    body.confirm = true;
  }
  const answer = await post(path, body && { ...body, event });
  if (answer.ok) return 'done';
  if (isForLater(answer.status)) throw new Error('wait');
  if (answer.status !== 409) return body ? 'failed' : 'done';
  return (await answer.json()).code === 'confirm' ? 'asked' : 'answered';
};
// What came of each event that somebody waits for, whichever round sent it: a round that began for
// another event may take this one along.
const awaited = new Map();
let sending = Promise.resolve();
// Sends all that is kept, in order.
const flush = () => {
  sending = sending.catch(() => {}).then(async () => {
    const entries = await inStore('queue', 'readonly', (store) => store.getAll()) ?? [];
    for (const entry of entries.sort((a, b) => a.pressed - b.pressed)) {
      let outcome = 'kept';
      try {
        outcome = await sendOne(entry);
        await forget(entry.event);
      } catch {
        await registration.sync?.register('queue').catch(() => {});
      }
      if (awaited.has(entry.event)) awaited.set(entry.event, outcome);
    }
  });
  return sending;
};
// Keeps answers, says so, and sends them; gives the outcome that the person has to know of.
const answerDoses = async (answers, pressed, onKept = () => {}) => {
  const events = answers.map(({ event }) => event);
  for (const event of events) awaited.set(event, 'kept');
  try {
    for (const { dose, path, event, ...body } of answers) {
      const address = path ?? `/api/v1/doses/${encodeURIComponent(dose)}/answers`;
      await keep(event, pressed, { path: address, body });
    }
    onKept();
    await flush();
    const found = events.map((event) => awaited.get(event));
    return ['failed', 'asked', 'answered', 'kept', 'done'].find((one) => found.includes(one));
  } finally {
    for (const event of events) awaited.delete(event);
  }
};
