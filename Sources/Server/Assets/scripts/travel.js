// Asks about another time zone where the device's clock differs from the person's.
{
  const note = document.querySelector('[data-home-zone]');
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const clock = (timeZone) => new Date().toLocaleString('en', { timeZone });
  try {
    if (note && here && clock(here) !== clock(note.dataset.homeZone)) {
      note.querySelector('a').search = new URLSearchParams({ zone: here });
      note.hidden = false;
    }
  } catch { /* A browser that does not know the zone cannot tell. */ }
}
