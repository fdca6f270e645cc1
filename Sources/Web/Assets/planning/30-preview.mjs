// The next doses of the medicine in the form, during typing. The server's own preview, which also
// knows the intakes, is a button away.
const box = globalThis.document?.querySelector('[data-planning]');
if (box) {
  const plan = JSON.parse(box.dataset.planning);
  const form = box.closest('form');
  const list = box.querySelector('dl');
  const said = box.querySelector('[role=status]');
  const shownDates = 3;
  const quietMilliseconds = 1500;
  const opened = performance.now();
  let latest = 0;
  let speaking;

  const none = { found: [], passed: [] };

  const dateAfter = (date, days) => {
    const moment = new Date(`${date}T00:00:00Z`);
    moment.setUTCDate(moment.getUTCDate() + days);
    return moment.toISOString().slice(0, 10);
  };
  const words = (template, parts) => template.replace(/\{(\w+)\}/g, (_, name) => parts[name]);
  const dateWords = (date) => {
    const day = new Date(`${date}T00:00:00Z`);
    return words(plan.date, {
      weekday: plan.weekdays[(day.getUTCDay() + 6) % 7],
      day: day.getUTCDate(), month: plan.months[day.getUTCMonth()],
    });
  };

  // The coming doses: of the next days or, if there are none, of more than a year; with today's
  // passed doses.
  const doses = async (parts) => {
    const now = new Date(plan.now + performance.now() - opened).toISOString();
    const first = parts[0].timing.repeat.boundsPeriod?.start ?? parts[0].anchor.slice(0, 10);
    const from = first > now.slice(0, 10) ? first : now.slice(0, 10);
    for (const days of [10, 400]) {
      const end = dateAfter(from, days);
      // The page knows the zone's clock changes only for some years.
      if (first < plan.from || end > plan.until) return none;
      const found = [];
      const passed = [];
      for (const part of parts) {
        const start = first > plan.today ? first : plan.today;
        const { tz, zone, events } = plan;
        const given = await answer(plan.module, { tz, zone, events, ...part, start, end });
        if (given.error) return none;
        given.instants.forEach((text, place) => {
          const at = Date.parse(text);
          const isPassed = at < Date.parse(now);
          (isPassed ? passed : found).push({ text, at, isMoved: given.moved.includes(place) });
        });
      }
      const inOrder = (one, other) => one.at - other.at;
      const ofToday = passed.filter(({ text }) => text.startsWith(plan.today)).sort(inOrder);
      if (found.length) return { found: found.sort(inOrder), passed: ofToday };
    }
    return none;
  };

  // Announced once the typing has stopped, and only changes.
  const say = (text) => {
    clearTimeout(speaking);
    speaking = setTimeout(() => {
      if (said.textContent !== text) said.textContent = text;
    }, quietMilliseconds);
  };

  const line = (dose) => {
    const item = document.createElement('li');
    item.textContent = dose.text.slice(11, 16);
    if (dose.isMoved) {
      const why = document.createElement('p');
      why.className = 'small';
      why.textContent = plan.moved;
      item.append(why);
    }
    return item;
  };

  const show = ({ found, passed }) => {
    const dates = new Map();
    found.forEach((dose, place) => {
      if (place && dose.at === found[place - 1].at) return;
      const date = dose.text.slice(0, 10);
      dates.set(date, [...dates.get(date) ?? [], dose]);
    });
    const rows = [...dates].slice(0, shownDates).map(([date, own]) => {
      const row = document.createElement('div');
      const term = document.createElement('dt');
      term.textContent = dateWords(date);
      const lines = document.createElement('ul');
      lines.className = 'number';
      lines.setAttribute('role', 'list');
      lines.append(...own.map(line));
      const description = document.createElement('dd');
      description.append(lines);
      row.append(term, description);
      return row;
    });
    list.replaceChildren(...rows);
    if (plan.passed && rows.length && passed.length) {
      const note = document.createElement('p');
      const times = [...new Set(passed.map(({ text }) => text.slice(11, 16)))].join(', ');
      note.textContent = words(plan.passed, { times });
      asked.append(note);
    }
    box.hidden = !rows.length;
    say(found.length
      ? words(plan.first, { when: `${dateWords(found[0].text.slice(0, 10))}, ${found[0].text.slice(11, 16)}` })
      : '');
  };

  // Kinds that this engine does not support: the form asks the server. Without an answer nothing is
  // shown, since the previous one may be wrong by now.
  const asked = box.querySelector('[data-asked]');
  const ask = (data, what) => new Promise((resolve, reject) => {
    data.set('preview', what);
    const request = new XMLHttpRequest();
    request.open('POST', form.getAttribute('action'));
    // Parsed as a document, so that no script in it runs.
    request.responseType = 'document';
    request.timeout = 10000;
    // An empty answer is not a document: parsing it would fail.
    request.onload = () => resolve(
      request.status === 200 ? request.response?.querySelector('[data-answer]') : null);
    request.onerror = request.ontimeout = reject;
    request.send(new URLSearchParams(data));
  });
  const showAnswer = (found) => {
    list.replaceChildren();
    asked.replaceChildren(...found?.childNodes ?? []);
    box.hidden = !found;
    say(found?.dataset.answer ?? '');
  };
  const askSoon = (turn, data) => {
    clearTimeout(soon);
    soon = setTimeout(async () => {
      const found = await ask(data, 'live').catch(() => null);
      if (turn === latest) showAnswer(found);
    }, 600);
  };

  // Only the server knows which schedules it refuses, such as a weekly medicine on every day. A
  // refusal stays until the next answer, so that the doses do not reappear with each letter.
  let isRefused = false;
  const showDoses = (found) => {
    isRefused = false;
    asked.replaceChildren();
    show(found);
  };
  const checkSoon = (turn, data, found) => {
    clearTimeout(soon);
    soon = setTimeout(async () => {
      const refusal = await ask(data, 'check').catch(() => null);
      if (turn !== latest) return;
      if (refusal) showAnswer(refusal);
      else if (isRefused) showDoses(found);
      isRefused = Boolean(refusal);
    }, 600);
  };

  let soon;
  const update = async () => {
    const turn = ++latest;
    const data = new FormData(form);
    if (plan.asked.includes(data.get('schedule'))) {
      isRefused = false;
      askSoon(turn, data);
      return;
    }
    const parts = timings(data);
    const found = parts ? await doses(parts).catch(() => none) : none;
    if (turn !== latest) return;
    const isNamed = Boolean(data.get('name')?.trim());
    if (!plan.checked || !isNamed || !found.found.length) {
      showDoses(found);
      return;
    }
    if (!isRefused) showDoses(found);
    checkSoon(turn, data, found);
  };
  form.addEventListener('input', () => {
    clearTimeout(soon);
    soon = setTimeout(update, 150);
  });
  addEventListener('pageshow', update);
}
