// A page that the service worker served from its copy while offline: it says so, handles every
// press itself, and loads the real page once there is a network.
const root = document.documentElement;
const place = document.getElementById('unsent');
if (root.dataset.copy && place) {
  const words = place.dataset;
  const at = Number(root.dataset.copy);
  // The server's clock decides when a dose is due; a device's may be wrong.
  const now = () => Date.now() + (Number(root.dataset.made) - at || 0);
  const day = Date.now() - at > 64800000 && { weekday: 'long', day: 'numeric', month: 'long' };
  const time = new Date(at).toLocaleString(root.lang, { ...day, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const notice = document.createElement('div');
  notice.className = 'notice notice-warning';
  notice.id = 'copied';
  notice.append(place.querySelector('svg').cloneNode(true), document.createElement('p'));
  notice.lastChild.className = 'notice-body';
  notice.lastChild.setAttribute('role', 'status');
  notice.lastChild.textContent = words.copied.replace('…', () => time);
  document.getElementById('main').prepend(notice);

  // The copied page may already have sent its events.
  for (const field of document.querySelectorAll('[name=event]')) field.value = crypto.randomUUID();
  for (const field of document.querySelectorAll('[name=answer]')) {
    const [dose, , ...version] = field.value.split(' ');
    field.value = [dose, crypto.randomUUID(), ...version].join(' ');
  }
  for (const zone of document.querySelectorAll('form [name=zone]')) {
    const { day, date = day, time: clock } = zone.form.elements;
    if (!date || !clock) continue;
    const now = new Date().toLocaleString('sv', { timeZone: zone.value });
    date.max = date.defaultValue = now.slice(0, 10);
    clock.defaultValue = now.slice(11, 16);
  }

  const hidden = (name, value) => Object.assign(document.createElement('input'), { type: 'hidden', name, value });
  const formOf = (path, text, fields, kind) => {
    const form = document.createElement('form');
    form.method = 'post';
    form.action = path;
    form.append(...Object.entries(fields).map(([name, value]) => hidden(name, value)));
    const button = document.createElement('button');
    button.className = `button button-${kind}`;
    button.append(text);
    form.append(button);
    return form;
  };
  const answer = (row, text, fields, kind) => {
    const path = `/doses/${encodeURIComponent(row.dataset.answers)}/answers`;
    const form = formOf(path, text, { ...fields, event: crypto.randomUUID() }, kind);
    const object = document.createElement('span');
    object.className = 'visually-hidden';
    object.textContent = ` ${row.querySelector('.intake-name').textContent}`;
    form.lastChild.append(object);
    return form;
  };
  // No answers to doses due a day ago or more: they would be taken for today's.
  const isOld = (instant) => !(instant > now() - 86400000);
  if (isOld(at + now() - Date.now())) {
    for (const slot of document.querySelectorAll('.slot')) {
      if (!isOld(Date.parse(slot.querySelector('time')?.dateTime))) continue;
      const parts = slot.querySelectorAll('.intake-check, .intake-menu, .intake-actions, .slot-all');
      for (const part of parts) part.remove();
    }
    for (const part of document.querySelectorAll('.pinned, .simple-buttons')) part.remove();
  }
  // A dose that is now due can be answered here.
  const come = () => {
    for (const row of document.querySelectorAll('.slot-ahead [data-answers]')) {
      const due = Date.parse(row.closest('.slot').querySelector('time')?.dateTime);
      if (!row.dataset.part?.startsWith('scheduled') || !(due <= now()) || isOld(due)) continue;
      if (row.querySelector('form')) continue;
      const box = document.createElement('div');
      box.className = 'buttons';
      box.append(
        answer(row, words.taken, { action: 'taken' }, 'primary'),
        answer(row, words.postpone, { action: 'later', minutes: '10' }, 'secondary'),
        answer(row, words.skip, { action: 'skipped' }, 'secondary'));
      const actions = document.createElement('div');
      actions.className = 'intake-actions';
      actions.append(box);
      row.append(actions);
    }
  };
  // The simple view asks only one question.
  const ask = () => {
    const next = document.querySelector('.simple-next[data-due]');
    const due = Date.parse(next?.dataset.due);
    if (!(due <= now()) || isOld(due)) return;
    const doses = next.dataset.doses.split(' ');
    document.getElementById('page-title').textContent = next.dataset.question;
    const box = document.createElement('div');
    box.className = 'simple-buttons';
    box.dataset.answers = next.dataset.doses;
    const form = formOf('/answers', next.dataset.yes, { action: 'taken' }, 'primary');
    for (const dose of doses) form.append(hidden('answer', `${dose} ${crypto.randomUUID()}`));
    box.append(form);
    next.replaceWith(box);
  };
  const look = () => {
    come();
    ask();
  };
  look();
  setInterval(look, 30000);

  const said = document.getElementById('said').firstElementChild;
  const refuse = (event) => {
    event.preventDefault();
    said.textContent = words.needs;
    setTimeout(() => { if (said.textContent === words.needs) said.textContent = ''; }, 10000);
  };
  const isThere = async () => {
    const answer = await fetch('/device/clock', { cache: 'no-store', signal: AbortSignal.timeout(5000) });
    return answer.status < 500;
  };
  document.addEventListener('submit', (event) => { if (!event.defaultPrevented) refuse(event); });
  // Copies link to each other; all other pages need the network.
  const kept = ['/', '/entry', '/emergency-card'];
  document.addEventListener('click', async (event) => {
    const link = event.target.closest?.('a[href]');
    const isPlain = link && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
    if (!isPlain || link.origin !== location.origin || kept.includes(link.pathname) || link.target) return;
    if (document.querySelector(`[data-keep~="${link.pathname}"]`)) return;
    if (link.pathname === location.pathname && link.hash) return;
    event.preventDefault();
    if (await isThere().catch(() => false)) location.assign(link.href);
    else refuse(event);
  });
  let isEdited = false;
  document.addEventListener('input', () => { isEdited = true; });
  const back = async () => {
    if (await isThere().catch(() => false) && !isEdited) location.reload();
  };
  addEventListener('online', back);
  setInterval(back, 15000);
}
