// Answers to doses, entries of the diary and answers to questionnaires, on every page that offers them. Online, the
// forms are sent without leaving the page. Offline, the service worker keeps them with the time of the press until it
// can send them.
const place = document.getElementById('unsent');
if (place) {
  const root = document.documentElement;
  const { account, accountName: name, person } = root.dataset;
  const words = place.dataset;
  const list = place.querySelector('ul');
  const said = document.getElementById('said');
  const answered = /^\/(doses\/[^/]+\/answers|answers|entry(\/[^/]+\/undo)?|as-needed\/[^/]+)$/;
  const worker = async () => (await navigator.serviceWorker?.getRegistration())?.active;
  const ask = async (question) => {
    const active = await worker();
    if (!active) return undefined;
    const { port1, port2 } = new MessageChannel();
    return new Promise((resolve) => {
      port1.onmessage = ({ data }) => resolve(data);
      active.postMessage(question, [port2]);
      setTimeout(resolve, 5000);
    });
  };
  const tell = async (message) => (await worker())?.postMessage(message);
  // Says what was done for ten seconds, with its way back; not while somebody is there. What failed stays.
  let ending;
  const say = (text, undo, stays) => {
    clearTimeout(ending);
    said.replaceChildren(said.firstElementChild, ...(undo ? [undo] : []));
    said.firstElementChild.textContent = text;
    if (text && !stays) ending = setTimeout(end, 10000);
  };
  const end = () => {
    if (said.contains(document.activeElement)) ending = setTimeout(end, 10000);
    else say('');
  };

  // MARK: From a form to an event
  const instant = (date, time, timeZone) => {
    if (!date || !time) return undefined;
    const wall = Date.parse(`${date}T${time}Z`);
    const ahead = (at) =>
      Date.parse(`${new Date(at).toLocaleString('sv', { timeZone }).replace(' ', 'T')}Z`) - at;
    return new Date(wall - ahead(wall - ahead(wall))).toISOString();
  };
  // Throws if an entry is invalid: it stays in its field.
  const amount = (form, unit) => {
    const field = form.elements['amount-value'];
    if (!field?.value || field.value === field.defaultValue) return undefined;
    const value = Number(field.value.replace(',', '.').replaceAll(' ', ''));
    if (!(value > 0) || !unit) throw new Error('amount');
    return { value, unit };
  };
  const answersOf = (form, data, submitter) => {
    const get = (name) => data.get(name)?.trim() || undefined;
    const number = (name) => get(name) && Number(get(name));
    const [, kind, id, last] = form.getAttribute('action').split('/');
    const action = get('action');
    const event = get('event');
    const zone = get('zone');
    const patient = get('for-person') ?? person;
    if (form.closest('[data-entry]')) {
      const detail = { form, data, instant };
      // A further script reads forms that can be opened again.
      document.dispatchEvent(new CustomEvent('entry', { detail }));
      if (!detail.answer) throw detail;
      return [{ ...detail.answer, event, patient }];
    }
    // The answered questions, by key.
    const confirm = data.getAll('confirm');
    const label = submitter?.querySelector('.visually-hidden')?.textContent.trim();
    const said = words[action] ?? submitter?.innerText.trim();
    if (form.dataset.alert) {
      const [action, minutes] = get('action').split(' ');
      const path = `/api/v1/alarms/occasions/${encodeURIComponent(form.dataset.alert)}/answers`;
      const more = minutes && { minutes: Number(minutes) };
      return [{ path, event, patient, action, about: 'alarm', label, said, ...more }];
    }
    if (kind === 'answers') {
      return data.getAll('answer').map((press) => {
        const [dose, event, version] = press.split(' ');
        const more = version && { corrects: Number(version) };
        return { dose, event, action, minutes: number('minutes'), confirm, label, said, ...more };
      });
    }
    if (kind === 'doses') {
      const chosen = form.querySelector('[name=reason]:checked');
      const why = chosen && chosen.value !== 'other' ? chosen.closest('label').innerText.trim() : undefined;
      const reason = [why, get('reason-words') ?? get('later-reason')].filter(Boolean).join(': ') || undefined;
      const at = instant(get('at-date'), get('at-time'), zone);
      return [{
        dose: id, event, action, at, reason, confirm, label, said, minutes: number('minutes'),
        corrects: number('corrects'), amount: amount(form, get('unit')),
      }];
    }
    if (kind === 'as-needed') {
      // Forms that ask a question first aren't queued.
      const [value, unit] = [number('known-value'), get('known-unit')];
      const amount = value && unit ? { value, unit } : undefined;
      return !data.has('known-unit') ? [] : [{
        path: '/api/v1/administrations', event, patient, medicine: id, taken: true, reason: get('reason'), confirm,
        at: new Date().toISOString(), amount, about: 'entry', label, said: words.taken,
      }];
    }
    if (last) {
      const path = `/api/v1/administrations/${encodeURIComponent(id)}/undo`;
      return [{ path, event, patient, about: `entry-${id}`, label, said: words.undo }];
    }
    const at = instant(get('date'), get('time'), zone);
    const medicine = get('medicine') === 'other' ? get('name') : get('medicine');
    if (!medicine || !at) return [];
    const taken = get('outcome') === 'taken';
    const named = form.querySelector('[name=medicine]:checked')?.closest('label').querySelector('span');
    const unit = get(`unit-${medicine}`) ?? get('amount-unit');
    return [{
      path: '/api/v1/administrations', event, patient, medicine, taken, at, reason: get('reason'), confirm,
      amount: taken ? amount(form, unit) : undefined, about: 'entry',
      label: get('medicine') === 'other' ? medicine : named?.firstChild.textContent.trim(),
      said: taken ? words.taken : words.skipped,
    }];
  };
  const rowOf = (dose) => document.querySelector(`[data-answers~="${CSS.escape(dose)}"]`);
  // Queues an answer. The page sends it itself; the worker sends it only if that fails.
  const keep = ({ form, data, pressed, submitter, isAhead }) => {
    try {
      const all = answersOf(form, data, submitter);
      // The button for all skips queued doses.
      const answers = all.filter(({ dose }) => !dose || rowOf(dose)?.dataset.unsent !== 'kept');
      const owner = { account, name, patient: data.get('for-person') ?? person };
      const events = answers.map(({ event }) => event);
      if (!answers.length) return { events, word: all.length ? 'kept' : 'lost' };
      return { events, word: ask({ answers, pressed, owner, isAhead, isLate: !isAhead }) };
    } catch (refusal) {
      return { events: [], ...refusal };
    }
  };

  // MARK: Queued answers, in their row or above the page
  const time = (at) => {
    const day = Date.now() - at > 64800000 && { weekday: 'short', day: 'numeric', month: 'short' };
    return new Date(at).toLocaleString(root.lang, { ...day, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  };
  const line = ({ event, at, about, label, said, action, outcome }, row) => {
    const box = document.createElement(row ? 'div' : 'li');
    box.className = 'unsent';
    const text = document.createElement('p');
    const what = [row ? '' : label, `${said ?? words[action] ?? ''} ${time(at)}`].filter(Boolean).join(', ');
    text.textContent = `${words[outcome ?? 'kept']} ${what}`;
    box.append(text);
    if (outcome && about.includes('_')) {
      const link = document.createElement('a');
      link.className = 'button button-quiet';
      link.href = `/doses/${encodeURIComponent(about)}`;
      link.textContent = words.look;
      box.append(link);
    }
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'button button-quiet';
    button.textContent = outcome ? words.seen : words.undo;
    button.addEventListener('click', async () => {
      await ask({ ask: 'drop', events: [event] });
      await show();
      (row?.querySelector('button') ?? document.getElementById('main'))?.focus({ preventScroll: true });
    });
    box.append(button);
    return box;
  };
  let isWaiting = false;
  const show = async () => {
    const found = await ask({ ask: 'mine', account }) ?? [];
    if (found.some(({ form }) => form)) await import(words.entries).catch(() => {});
    for (const one of document.querySelectorAll('.unsent')) one.remove();
    for (const row of document.querySelectorAll('[data-unsent]')) delete row.dataset.unsent;
    for (const one of found) {
      const row = rowOf(one.about);
      if (row) row.dataset.unsent = one.outcome ?? 'kept';
      (row ?? list).append(one.box = line(one, row));
    }
    place.hidden = !list.childElementCount;
    isWaiting = found.some(({ outcome }) => !outcome);
    document.dispatchEvent(new CustomEvent('entries', { detail: found }));
  };
  const shown = () => show().catch(() => {});
  document.addEventListener('keep', async ({ detail }) => {
    detail.told(await keep(detail).word || 'lost');
    shown();
  });
  navigator.serviceWorker?.addEventListener('message', async ({ data }) => {
    if (!data?.queue) return;
    const isStale = document.querySelector('[data-unsent=kept]') && !('live' in root.dataset);
    say('');
    await show();
    // A page without live updates reloads once its queued answer is sent.
    if (isStale && !document.querySelector('[data-unsent=kept]')) location.reload();
  });
  // Retries now and then, as the `online` event may not come.
  const flush = (late) => tell({ owner: { account, name }, late });
  setInterval(() => { if (isWaiting) flush(); }, 15000);
  new MutationObserver(shown).observe(document.getElementById('main'), { childList: true });
  addEventListener('pageshow', ({ persisted }) => { if (persisted) shown(); });
  shown();
  // The second half of a double tap must not undo the first.
  document.addEventListener('click', (event) => {
    if (event.detail > 1 && event.target.closest?.('[data-answers] button')) {
      event.preventDefault();
      event.stopPropagation();
    }
  }, true);

  // MARK: Sending
  const load = (address, body) => new Promise((resolve, reject) => {
    // Parsed as a document, so that no script in it runs.
    const request = new XMLHttpRequest();
    request.open('POST', address);
    request.setRequestHeader('Regimen-In-Place', 'yes');
    request.responseType = 'document';
    request.timeout = 6000;
    request.onload = () => resolve(request);
    request.onerror = request.ontimeout = reject;
    request.send(body);
  });
  const release = (form) => {
    delete form.dataset.sent;
    for (const one of form.querySelectorAll('[aria-disabled]')) one.removeAttribute('aria-disabled');
  };
  // MARK: Updating the page in place
  const focusOf = (row) => (row?.querySelector('form:has([value=undo]) button') ?? row?.querySelector('a,summary'));
  // Replaces the rows and counts that an answer changed. False if this is another page.
  const renew = (next, form) => {
    const parts = [...document.querySelectorAll('main [data-part]')];
    if (!parts.length || !next.querySelector('main [data-part]')) return false;
    const isRow = (part) => 'answers' in part.dataset;
    const isSame = (one, other) => one.dataset.part === other.dataset.part
      && (one.dataset.part || one.textContent === other.textContent);
    const changed = [];
    const own = form.closest('[data-answers]');
    const id = own?.id;
    // A row that is gone can't be replaced; an undone entry is just removed.
    if (id && !next.getElementById(id)) {
      if (!id.startsWith('entry-')) return false;
      own.remove();
    }
    for (const part of parts) {
      const fresh = next.getElementById(part.id);
      if (!fresh && !isRow(part)) part.remove();
      if (!fresh || isSame(part, fresh)) continue;
      part.replaceWith(fresh);
      fresh.classList.add('is-new');
      if (isRow(fresh)) changed.push(fresh);
    }
    root.dataset.changes = next.documentElement.dataset.changes;
    const flash = next.querySelector('main > .flash');
    say(flash?.querySelector('p').textContent ?? '', flash?.querySelector('form'));
    (focusOf(document.getElementById(id) ?? changed[0]) ?? document.getElementById('main'))
      .focus({ preventScroll: true });
    shown();
    // The old message is out of date, also after a reload.
    document.querySelector('main > .flash')?.remove();
    history.replaceState(null, '', `${location.pathname}${keptQuery()}`);
    return true;
  };
  const keptQuery = () => {
    const query = new URLSearchParams(location.search);
    for (const name of ['done', 'dose', 'entry', 'left']) query.delete(name);
    return query.size ? `?${query}` : '';
  };
  const isUnanswered = (status) => status >= 500 || [401, 403, 408, 425, 429].includes(status);
  document.addEventListener('submit', async (event) => {
    const { target: form, submitter } = event;
    const path = form.getAttribute('action') ?? '';
    const isAnswer = answered.test(path) || form.closest('[data-entry]');
    if (event.defaultPrevented || form.dataset.sent || 'plain' in form.dataset || !isAnswer) return;
    event.preventDefault();
    const data = new FormData(form, submitter);
    const pressed = Date.now();
    const row = form.closest('[data-answers]');
    // Queued before sending, so that it survives a closed browser. Answers that are to be checked first are queued
    // only if there is no network.
    const isStep = data.get('step') === 'next';
    const queue = (isAhead) => keep({ form, data, pressed, submitter, isAhead });
    let kept = isStep || queue(true);
    const found = await load(path, new URLSearchParams(data)).catch(() => undefined);
    const isOurs = found?.response?.documentElement.dataset.account === account;
    if (isOurs && !isUnanswered(found.status)) {
      await tell({ ask: 'drop', events: kept.events ?? [] });
      const { pathname, search } = new URL(found.responseURL);
      if (pathname === path && !search) {
        // Questions and corrections need a page of their own.
        form.dataset.plain = '';
        release(form);
        form.requestSubmit(submitter);
      } else if (pathname === location.pathname && renew(found.response, form)) release(form);
      else location.assign(found.responseURL);
      return;
    }
    if (isStep) kept = queue();
    const word = await kept.word || 'lost';
    // Browsers may evict storage that is not persistent.
    navigator.storage?.persist?.().catch(() => {});
    flush(kept.events);
    release(form);
    say(words[word === 'kept' ? 'saved' : word], undefined, word !== 'kept');
    await shown();
    if (word === 'kept' && /^\/(entry|as-needed|diary)/.test(path)) {
      // The same form logs another dose next.
      form.reset();
      form.elements.event.value = crypto.randomUUID();
    }
    const isSeen = document.querySelector('[data-unsent]');
    (kept.ask?.() ?? kept.missing ?? row?.querySelector('.unsent button') ?? place).focus({ preventScroll: Boolean(isSeen) });
    // Someone else is signed in now, or no one.
    if (word === 'kept' && found && !isOurs) location.assign(found.responseURL);
  });
}
