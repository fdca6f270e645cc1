// The medicine form: shows only the fields of the chosen schedule, and adds times one by one.
{
  const parts = document.querySelectorAll('[data-schedule]');
  const update = () => {
    const chosen = document.querySelector('input[name=schedule]:checked')?.value;
    for (const part of parts) part.hidden = !part.dataset.schedule.split(' ').includes(chosen);
    // Days of another kind of schedule don't belong to this one.
    for (const day of document.querySelectorAll('input[name=weekday]')) {
      day.disabled = day.closest('[data-schedule]')?.hidden ?? false;
    }
  };
  if (parts.length) {
    document.addEventListener('change', (event) => {
      if (event.target.name === 'schedule') update();
    });
    // The browser may refill the form when it returns.
    addEventListener('pageshow', update);
    update();
  }
  for (const group of document.querySelectorAll('[data-rows]')) {
    const more = group.querySelector('[data-more]');
    if (!more) continue;
    const rows = [...group.querySelectorAll('.time-rows > *')];
    const time = (row) => row.querySelector('input[type=time]');
    const filled = rows.findLastIndex((row) => time(row).value) + 1;
    rows.forEach((row, index) => { row.hidden = index >= Math.max(filled, 1); });
    more.addEventListener('click', (event) => {
      event.preventDefault();
      const next = rows.find((row) => row.hidden);
      if (next) {
        next.hidden = false;
        time(next).focus();
      }
      more.hidden = !rows.some((row) => row.hidden);
    });
  }
}
