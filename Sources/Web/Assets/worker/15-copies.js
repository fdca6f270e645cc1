// Copies of pages, to open them offline. They are encrypted with a key that the server derives from
// the session, and are deleted when it ends or when they expire.
const copyAge = 3600000;
const renewedBefore = 86400000;
const copyPatience = 10000;
const mostForms = 16;
// Forms of the diary and of questionnaires: those that Today lists are kept with it, without what was written down.
const isForm = (path) => /^\/(diary\/trackers|questionnaires)\/[^/]+$/.test(path);
const inCopies = (...how) => inDatabase('regimen-copies', [['keys'], ['pages']], ...how);
let copying = Promise.resolve();
const copyInTurn = (work) => {
  const done = copying.then(work);
  copying = done.catch(() => {});
  return done;
};
const copyKey = () => inCopies('keys', 'readonly', (store) => store.get('copies'));
const getCopy = async (name) => {
  const key = await copyKey();
  const kept = key && await inCopies('pages', 'readonly', (store) => store.get(name));
  return kept && unsealBy(key, kept).catch(() => undefined);
};
const putCopy = async (name, value, key) => {
  const sealed = await sealBy(key, value);
  await inCopies('pages', 'readwrite', (store) => store.put(sealed, name), true);
};
const copyNames = async () =>
  (await inCopies('pages', 'readonly', (store) => store.getAllKeys()) ?? []).filter((name) => name.startsWith('/'));
const dropForms = async (stays = []) => {
  for (const path of await copyNames()) {
    if (isForm(path) && !stays.includes(path)) await inCopies('pages', 'readwrite', (store) => store.delete(path));
  }
};
const dropCopies = async () => {
  await globalThis.caches?.delete('assets');
  await settled(indexedDB.deleteDatabase('regimen-copies'));
};
const forgetCopies = () => copyInTurn(dropCopies);
// Returns the owner of the copies while they may be shown.
const copyOwner = async () => {
  const owner = await getCopy('owner');
  if (!owner) return undefined;
  if (Date.now() < owner.until) return owner;
  await dropCopies();
  return undefined;
};
// Styles and scripts hold no personal data; their addresses change with their content.
const keepAssets = async (found) => {
  const cache = await caches.open('assets');
  const known = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
  const missing = found.filter((path) => !known.has(path));
  if (!missing.length) return;
  await Promise.all(missing.map((path) => cache.add(new Request(path, { signal: soonOver() })).catch(() => {})));
  const pages = await Promise.all((await copyNames()).map(getCopy));
  const used = new Set([...found, ...pages.flatMap((page) => page?.assets ?? [])]);
  for (const path of known) if (!used.has(path)) await cache.delete(path);
};
const keepCopy = async (path, answer) => {
  const owner = await copyOwner();
  if (!owner) return;
  if (answer.type === 'opaqueredirect' || answer.redirected || [403, 404, 410].includes(answer.status)) {
    // Not, or no longer, a page of this person.
    await putCopy(path, { at: Date.now() }, await copyKey());
    return;
  }
  const html = answer.ok ? await answer.text() : '';
  // Only pages of this session that allow copies.
  if (!html.slice(0, 2000).includes(` data-offline="${owner.session}`)) return;
  const assets = [...new Set(html.match(/\/assets\/[\w.-]+/g) ?? [])];
  const headers = [...answer.headers].filter(([name]) => !/^(content-(length|encoding)|date|set-cookie)$/.test(name));
  // A copy opens with its scripts, or it is not there yet.
  await keepAssets(assets);
  await putCopy(path, { html, headers, assets, at: Date.now() }, await copyKey());
};
const fetchCopy = async (path) => {
  const headers = { 'Regimen-Copy': 'yes' };
  const answer = await fetch(path, { headers, cache: 'no-store', redirect: 'manual', signal: soonOver() });
  await keepCopy(path, answer);
};
// Renews a copy older than an age in milliseconds; creates none.
const renewCopy = (path, age = 0) => copyInTurn(async () => {
  const page = await getCopy(path);
  if (page && Date.now() - page.at >= age) await fetchCopy(path);
}).catch(() => {});
// Keeps the forms that the copy of Today lists, and no other ones.
const keepForms = async () => {
  const today = await getCopy('/');
  const lists = [...(today?.html ?? '').matchAll(/ data-keep="([^"]*)"/g)].map(([, paths]) => paths.split(' '));
  const listed = lists.flat().filter(isForm).slice(0, mostForms);
  await dropForms(listed);
  for (const path of listed) {
    const page = await getCopy(path);
    if (!page || Date.now() - page.at > copyAge) await fetchCopy(path);
  }
};
const renewForms = () => copyInTurn(keepForms).catch(() => {});
// Starts keeping copies for a session, or stops if the page allows none.
const prepareCopies = ({ owner: { account }, offline, isView, person }) => copyInTurn(async () => {
  let owner = await copyOwner();
  const isSame = owner?.account === account && owner?.session === offline;
  if (!isSame) await dropCopies();
  if (!offline) return;
  if (!isSame || owner.until - Date.now() < owner.lasts - renewedBefore) {
    const answer = await fetch('/device/offline/key', { cache: 'no-store', signal: soonOver() });
    const { account: mine, session, key, lasts } = await answer.json();
    if (!key || mine !== account || session !== offline) return;
    const bytes = Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
    const made = await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
    await inCopies('keys', 'readwrite', (store) => store.put(made, 'copies'), true);
    owner = { account, session, lasts, person: owner?.person, until: Date.now() + lasts };
    await putCopy('owner', owner, made);
  }
  const isAnother = person && owner.person !== person;
  if (isAnother) {
    await putCopy('owner', { ...owner, person }, await copyKey());
    await dropForms();
  }
  // Viewers have no card and no form.
  for (const path of isView ? ['/'] : words.pages) {
    const page = await getCopy(path);
    if (!page || isAnother || Date.now() - page.at > copyAge) await fetchCopy(path);
  }
  await keepForms();
}).catch(() => {});
const copyToShow = async (path) => {
  const page = await copyOwner() && await getCopy(path);
  if (!page?.html) return undefined;
  const html = page.html.replace('<html ', () => `<html data-copy="${page.at}" `);
  return new Response(html, { headers: page.headers });
};
// Shows the server's page, or the copy if the server does not answer in time.
const showPage = async (event, path, isPlain) => {
  const asked = fetch(event.request);
  const slow = new Promise((_, reject) => setTimeout(reject, copyPatience, new Error('slow')));
  try {
    const found = await Promise.race([asked, slow]);
    if ([502, 503, 504].includes(found.status)) throw new Error('away');
    // With a query it is the same page with a flash message.
    if (isPlain) {
      const copy = found.clone();
      event.waitUntil(copyInTurn(() => keepCopy(path, copy)).catch(() => {}));
    } else event.waitUntil(renewCopy(path, isForm(path) ? copyAge : 0));
    return found;
  } catch {
    return await copyToShow(path).catch(() => undefined) ?? asked;
  }
};
const showAsset = async ({ request }) =>
  await globalThis.caches?.match(request, { ignoreVary: true }).catch(() => undefined) ?? fetch(request);
// The badge on the app's icon: the number of doses to answer.
let badgeAt = 0;
const renewBadge = async (age = 0) => {
  if (!navigator.setAppBadge || Date.now() - badgeAt < age) return;
  badgeAt = Date.now();
  const answer = await fetch('/device/badge', { cache: 'no-store', signal: soonOver() });
  const { open } = answer.ok ? await answer.json() : {};
  if (open >= 0) await (open ? navigator.setAppBadge(open) : navigator.clearAppBadge());
};
const showBadge = (age) => renewBadge(age).catch(() => {});
const clearBadge = () => Promise.resolve(navigator.clearAppBadge?.()).catch(() => {});
// A form's change reaches the copies a moment later; the card does not show answers.
const ofDoses = /^\/(answers|doses|entry|as-needed|ring|simple|diary|questionnaires)\b/;
const staleForms = new Set();
let renewing;
let isCardStale = false;
const renewSoon = (path) => {
  isCardStale ||= !ofDoses.test(path);
  if (isForm(path)) staleForms.add(path);
  renewing ??= new Promise((done) => setTimeout(done, 4000)).then(async () => {
    renewing = undefined;
    const stale = isCardStale ? ['/', '/entry', '/emergency-card'] : ['/'];
    isCardStale = false;
    await Promise.all([...stale, ...staleForms].map((one) => renewCopy(one)).concat(showBadge()));
    staleForms.clear();
    await renewForms();
  });
  return renewing;
};
// A page with live updates reloads itself.
const seePage = async (event, isPlain) => {
  const found = await fetch(event.request);
  if (isPlain) {
    const copy = found.clone();
    event.waitUntil(copyInTurn(() => keepCopy('/', copy)).catch(() => {}));
  }
  // Pages with a badge have live updates.
  if (badgeAt) event.waitUntil(showBadge(5000));
  return found;
};
addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname, search } = new URL(url);
  if (origin !== location.origin) return;
  if (method === 'POST' && !pathname.startsWith('/api/')) event.waitUntil(renewSoon(pathname));
  if (method !== 'GET') return;
  if (pathname.startsWith('/assets/')) event.respondWith(showAsset(event));
  else if (words.pages.includes(pathname) && (mode === 'navigate' || pathname === '/')) {
    event.respondWith(mode === 'navigate' ? showPage(event, pathname, !search) : seePage(event, !search));
  } else if (mode === 'navigate' && isForm(pathname) && ['', '?ask=reason'].includes(search)) {
    event.respondWith(showPage(event, pathname, false));
  }
});
