// Entries of the diary and answers to questionnaires: as the queue sends them, and as they were filled in if they are
// opened again.
const root = document.documentElement.dataset;
const words = document.getElementById('unsent').dataset;
const controls = (field) => [...field.querySelectorAll('input:not([type=hidden]),select,textarea')];
const isBox = (control) => ['radio', 'checkbox'].includes(control.type);
const isFilled = (control) => (isBox(control) ? control.checked : Boolean(control.value.trim()));
const isOff = (field) => Boolean(field.closest('fieldset[disabled]'));
const fieldsOf = (form) => [...form.querySelectorAll('.field')].filter((field) => !isOff(field));
const missingIn = (form) => fieldsOf(form)
  .find((field) => !field.querySelector('.optional') && !controls(field).some(isFilled));
const textOf = (control) => {
  if (isBox(control)) return control.closest('label').textContent.trim();
  if (control.localName === 'select') return control.selectedOptions[0].textContent.trim();
  if (control.type === 'date') {
    const { lang } = document.documentElement;
    return new Date(`${control.value}T12:00`).toLocaleDateString(lang, { dateStyle: 'medium' });
  }
  const unit = control.closest('.input-with-unit')?.querySelector('span').textContent ?? '';
  return `${control.value.trim()} ${unit}`.trim();
};
const make = (name, textContent) => Object.assign(document.createElement(name), { textContent });
// The questions that are asked, with their answers, for reading; an answer is empty if there is none.
const answersIn = (form) => {
  const found = new Map();
  for (const field of fieldsOf(form)) {
    // A question with several answers has a field for each.
    const name = controls(field)[0]?.name.replace(/-\d+$/, '');
    const label = field.querySelector('legend,label').firstChild.textContent.trim();
    const texts = controls(field).filter(isFilled).map(textOf);
    found.set(name, [label, [...found.get(name)?.[1] ?? [], ...texts]]);
  }
  return [...found.values()].map(([label, texts]) => [label, texts.join(', ')]);
};
const typedIn = (form) => {
  const typed = answersIn(form).filter(([, text]) => text);
  if (typed.length) return typed;
  const questions = [...document.querySelectorAll('main dt')].filter((one) => !one.closest('.unsent'));
  return questions.map((one) => [one.innerText, one.nextElementSibling?.innerText ?? '']);
};

// MARK: From a form to an entry
const number = (text) => {
  const plain = text.replace('\u2212', '-').replace(',', '.').replaceAll(/\s/g, '');
  if (!/^-?\d+(\.\d+)?$/.test(plain)) throw new Error('number');
  return Number(plain);
};
const whole = (text) => {
  const found = number(text);
  if (!Number.isInteger(found)) throw new Error('whole');
  return found;
};
const values = {
  score: ({ value }) => ({ value: whole(value) }),
  'yes-no': ({ value }) => ({ value: value === 'yes' }),
  number: ({ value, unit }, units) => ({ value: number(value), unit: units[unit] }),
  pressure: ({ value, lower }) => ({ systolic: whole(value), diastolic: whole(lower) }),
  text: ({ value }) => ({ value }),
  'graded-text': ({ value, strength }) => ({ value, strength: whole(strength) }),
};
const trimmed = (data) => Object.fromEntries([...data].map(([name, text]) => [name, text.trim()]));
const diaryEntry = (form, data, box, instant) => {
  const fields = trimmed(data);
  const units = Object.fromEntries(box.units.split(' ').filter(Boolean).map((one) => one.split('=')));
  const at = instant(fields.day, fields.time, fields.zone);
  if (!at) throw new Error('time');
  return {
    path: '/api/v1/diary/entries', about: 'diary',
    tracker: decodeURIComponent(form.getAttribute('action').split('/')[3]),
    ...values[box.entry](fields, units), at, note: fields.note || undefined, reason: fields.reason || undefined,
    said: (fields.lower ? `${fields.value}/${fields.lower}` : typedIn(form)[0][1]).slice(0, 60),
  };
};
const questionnaireEntry = (form, data, box) => {
  const links = JSON.parse(box.links);
  const answers = {};
  for (const [name, text] of data) {
    const link = links[/^q(\d+)(-\d+)?$/.exec(name)?.[1]];
    if (link && text.trim()) (answers[link] ??= []).push(text.trim());
  }
  if (!Object.keys(answers).length) throw new Error('empty');
  const name = encodeURIComponent(decodeURIComponent(form.getAttribute('action').split('/')[2]));
  return {
    path: `/api/v1/questionnaires/${name}/responses`, about: 'questionnaire', answers, said: '',
    shown: data.getAll('shown').map((index) => links[index]), version: box.version,
  };
};

// MARK: Questions before an entry is queued
// The page asks them once it's clear that there is no network: until then, the server may still ask them itself.
const copyPart = (form) => form.parentElement.querySelector('template')?.content.firstElementChild.cloneNode(true);
const closeReview = (form) => {
  form.querySelector('.review')?.remove();
  delete form.dataset.review;
};
const openReview = (form) => {
  closeReview(form);
  const part = copyPart(form);
  const list = part.querySelector('dl');
  for (const [label, text] of answersIn(form)) {
    const row = make('div');
    row.append(make('dt', label), make('dd', text || list.dataset.none));
    list.append(row);
  }
  part.querySelector('[value=change]').addEventListener('click', (event) => {
    event.preventDefault();
    closeReview(form);
    controls(form).find((one) => !isOff(one))?.focus();
  });
  form.append(part);
  form.dataset.review = '';
  return part;
};
// The limits of each number, by its unit or field: possible, likely, likely, possible. A page of an earlier version has
// none; then the server checks the value when it is sent.
const limitsIn = ({ ranges = '' }) => Object.fromEntries(ranges.split(' ').filter(Boolean)
  .map((one) => one.split('=')).map(([name, limits]) => [name, limits.split(',').map(Number)]));
// The problem that the server would see in a value; undefined if it would store it without a question.
const problemOf = ({ value, lower, unit, reason }, box) => {
  const limits = limitsIn(box);
  const [first] = Object.values(limits);
  if (!first) return undefined;
  const isPressure = box.entry === 'pressure';
  const checked = isPressure ? [[value, limits.value], [lower, limits.lower]] : [[value, limits[unit] ?? first]];
  const isOutside = (least, most) => checked
    .some(([text, own]) => number(text) < own[least] || number(text) > own[most]);
  if (isOutside(0, 3)) return 'impossible';
  if (isPressure && number(lower) >= number(value)) return 'order';
  return isOutside(1, 2) && !reason ? 'unusual' : undefined;
};
const openQuestion = (form) => {
  const part = form.querySelector('section[data-again]') ?? copyPart(form);
  form.querySelector('.buttons').before(part);
  return part;
};
// Returns the question or refusal to show before the entry is queued; undefined to queue it.
const questionAbout = (form, data, box) => {
  // A page of an earlier version has no review.
  if (box.entry === 'questionnaire') {
    const isAsked = data.get('step') === 'next' && copyPart(form);
    return isAsked && { word: 'question', ask: () => openReview(form) };
  }
  const problem = problemOf(trimmed(data), box);
  if (!problem) return undefined;
  // A form that already has the field of the reason shows no second one.
  if (problem === 'unusual' && copyPart(form)) return { word: 'question', ask: () => openQuestion(form) };
  words[problem] = box[problem];
  const fields = form.elements;
  return { word: problem, missing: { order: fields.lower, unusual: fields.reason }[problem] ?? fields.value };
};
const own = ['form-token', 'for-person', 'visit', 'event', 'shown', 'step', 'zone'];
document.addEventListener('entry', ({ detail }) => {
  const { form, data, instant } = detail;
  const box = form.closest('[data-entry]').dataset;
  const missing = missingIn(form);
  try {
    if (missing) throw new Error('missing');
    const read = box.entry === 'questionnaire' ? questionnaireEntry : diaryEntry;
    const fields = [...data].filter(([name]) => !own.includes(name));
    const kept = { path: form.getAttribute('action'), fields, typed: typedIn(form) };
    const answer = { ...read(form, data, box, instant), label: box.name, form: kept };
    Object.assign(detail, questionAbout(form, data, box) || { answer });
  } catch {
    detail.word = 'missing';
    detail.missing = controls(missing ?? form)[0] ?? form.querySelector('button');
  }
});

// MARK: Questions that answers open, on a copy
const order = (one, other) => {
  const [left, right] = [one, other].map((text) => Number(text.replace(',', '.')));
  if (!Number.isNaN(left) && !Number.isNaN(right)) return left - right;
  return one === other ? 0 : one < other ? -1 : 1;
};
const comparisons = {
  '=': (found) => found === 0, '>': (found) => found > 0, '<': (found) => found < 0,
  '>=': (found) => found >= 0, '<=': (found) => found <= 0,
};
const holds = (data, { field, is, value }) => {
  const found = [...data].filter(([name, text]) => (name === field || name.startsWith(`${field}-`)) && text.trim())
    .map(([, text]) => text.trim());
  if (is === 'exists') return String(found.length > 0) === value;
  if (is === '!=') return !found.some((one) => order(one, value) === 0);
  return found.some((one) => comparisons[is](order(one, value)));
};
const reveal = (form) => {
  for (const part of form.querySelectorAll('[data-when]')) {
    const { all, of } = JSON.parse(part.dataset.when);
    // An earlier question may just have been closed.
    const data = new FormData(form);
    const isAsked = of[all ? 'every' : 'some']((one) => holds(data, one));
    part.hidden = !isAsked;
    part.disabled = !isAsked;
  }
};
const entryForm = document.querySelector('[data-entry] form');
if (entryForm) {
  reveal(entryForm);
  entryForm.addEventListener('input', () => reveal(entryForm));
  entryForm.addEventListener('reset', () => {
    for (const one of entryForm.querySelectorAll('[data-again]')) one.remove();
    setTimeout(reveal, 0, entryForm);
  });
}

// MARK: What isn't queued
// Other forms of these pages say that they need a connection, and keep what was typed.
document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event;
  if (form.closest('[data-entry]') && !['draft', 'change'].includes(submitter?.value)) return;
  if (!/^\/(diary|questionnaires)\//.test(form.getAttribute('action'))) return;
  if (navigator.onLine) {
    form.dataset.plain = '';
    return;
  }
  event.preventDefault();
  // Nothing was sent, so the button stays enabled.
  event.stopPropagation();
  document.getElementById('said').firstElementChild.textContent = words.needs;
}, true);

// MARK: Opening a refused entry again
const refill = (form, fields, event) => {
  const left = fields.map(([name, text]) => ({ name, text }));
  // Questions that the answers open are filled in once they are there.
  const fill = () => {
    for (const control of form.elements) {
      const isData = control.name && control.type !== 'hidden' && !isOff(control) && control.localName !== 'button';
      const given = isData ? left.filter(({ name }) => name === control.name) : [];
      if (isBox(control) && given.length) control.checked = given.some(({ text }) => text === control.value);
      else if (given.length && control.localName !== 'fieldset') control.value = given[0].text;
    }
    reveal(form);
  };
  fill();
  fill();
  const names = new Set([...form.elements].filter((one) => !isOff(one)).map((one) => one.name));
  for (const { name, text } of left.filter((one) => !names.has(one.name))) {
    const hidden = Object.assign(document.createElement('input'), { type: 'hidden', name, value: text });
    hidden.dataset.again = '';
    form.append(hidden);
  }
  // Sent again, it takes the place of the refused one.
  form.elements.event.value = event;
};
const showRefused = ({ box, event, outcome, form, patient }) => {
  // The answers can be read even if the form no longer exists.
  const details = document.createElement('details');
  const list = document.createElement('dl');
  for (const [label, text] of form.typed) list.append(make('dt', label), make('dd', text));
  details.append(make('summary', words.typed), list);
  const query = new URLSearchParams();
  if (outcome === 'unlikely') query.set('ask', 'reason');
  if (patient && patient !== root.person) query.set('visit', patient);
  const link = make('a', words.again);
  link.className = 'button button-quiet';
  link.href = `${form.path}${query.size ? `?${query}` : ''}#again-${event}`;
  box.append(details, link);
};
let latest = [];
const look = (found) => {
  if (!entryForm) return;
  const path = entryForm.getAttribute('action');
  const [, event] = /^#again-(.+)$/.exec(location.hash) ?? [];
  const refused = found.find((one) => one.form?.path === path && one.event === event);
  // Without access to its person, the page is about someone else.
  if (refused && refused.patient === root.person) {
    refill(entryForm, refused.form.fields, event);
    history.replaceState(null, '', location.pathname + location.search);
    controls(entryForm)[0]?.focus();
  }
  // A questionnaire is answered once; taken back, it is there again with its answers.
  const isOnce = entryForm.closest('[data-entry]').dataset.entry === 'questionnaire';
  entryForm.hidden = isOnce && found.some((one) => one.form?.path === path && !one.outcome);
  if (entryForm.hidden) closeReview(entryForm);
};
document.addEventListener('entries', ({ detail: found }) => {
  latest = found;
  for (const one of found) if (one.form && one.outcome) showRefused(one);
  look(found);
});
addEventListener('hashchange', () => look(latest));
