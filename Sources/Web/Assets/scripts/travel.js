// Asks about another time zone if the device's clock differs from the person's, unless dismissed.
{
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const clock = (timeZone) => new Date().toLocaleString('en', { timeZone });
  const ask = () => {
    const note = document.querySelector('[data-home-zone]');
    try {
      const { homeZone, putOff } = note?.dataset ?? {};
      if (note && here && here !== putOff && clock(here) !== clock(homeZone)) {
        note.querySelector('a').search = new URLSearchParams({ zone: here });
        note.querySelector('[name=zone]').value = here;
        note.hidden = false;
      }
    } catch { /* A browser that does not know the zone cannot tell. */ }
  };
  ask();
  // Reloads if someone else has changed something.
  const main = document.querySelector('main');
  if (main) new MutationObserver(ask).observe(main, { childList: true });
}
