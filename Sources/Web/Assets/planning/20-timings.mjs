// The medicine form as the Timings that the server would create.
const wholeNumber = (text) => (/^\d{1,3}$/.test(text?.trim() ?? '') ? Number(text) : undefined);
const clockTimes = (texts) => [...new Set(texts.filter(Boolean))].sort().map((text) => `${text}:00`);

// The meals themselves take no offset (FHIR tim-9).
const isMeal = (code) => /^C[MDV]$/.test(code);

// The parts of a list of questions, or nothing while the form is incomplete.
export const timings = (form) => {
  const start = form.get('start');
  if (!/^\d{4}-\d\d-\d\d$/.test(start ?? '')) return undefined;
  const end = form.get('end');
  const bounds = { boundsPeriod: end ? { start, end } : { start } };
  const weekdays = form.getAll('weekday');
  const kind = form.get('schedule');
  const onWeekdays = kind === 'weekdays' || (kind === 'meals' && form.get('meal-days') !== 'every');
  // Without chosen days there is no schedule; they never default to every day.
  if (onWeekdays && !weekdays.length) return undefined;
  const onDays = onWeekdays && weekdays.length % 7 ? { dayOfWeek: weekdays } : {};
  const daily = { period: 1, periodUnit: 'd', ...onDays, ...bounds };
  switch (kind) {
    case 'times':
    case 'weekdays': {
      const timeOfDay = clockTimes(form.getAll('time'));
      return timeOfDay.length ? [{ timing: { repeat: { ...daily, timeOfDay } } }] : undefined;
    }
    case 'every-days': {
      const timeOfDay = clockTimes(form.getAll('days-time'));
      const period = wholeNumber(form.get('days'));
      if (!period || !timeOfDay.length) return undefined;
      return [{ timing: { repeat: { period, periodUnit: 'd', timeOfDay, ...bounds } } }];
    }
    case 'every-hours': {
      const period = wholeNumber(form.get('hours'));
      const first = form.get('first-time');
      if (!period || !first) return undefined;
      // The first dose is a local time; bounds would need its UTC offset.
      const until = end ? { boundsPeriod: { end } } : {};
      return [{
        anchor: `${start}T${first}`,
        timing: { repeat: { frequency: 1, period, periodUnit: 'h', ...until } },
      }];
    }
    case 'meals': {
      const minutes = form.get('meal-offset')?.trim();
      const offset = minutes ? wholeNumber(minutes) : undefined;
      if (minutes && offset === undefined) return undefined;
      const codes = form.getAll('meal');
      const groups = offset === undefined ? [[codes, {}]]
        : [[codes.filter(isMeal), {}], [codes.filter((code) => !isMeal(code)), { offset }]];
      const found = groups.filter(([group]) => group.length)
        .map(([group, own]) => ({ timing: { repeat: { ...daily, when: group, ...own } } }));
      return found.length ? found : undefined;
    }
    default: return undefined;
  }
};
