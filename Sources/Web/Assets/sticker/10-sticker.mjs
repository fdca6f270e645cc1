// Sends the answer of a sticker's page by itself, on a phone that the person has marked: once for
// each tap, never for a page that is only loaded ahead, reloaded or gone back to.
const form = document.querySelector('form[data-at-once]');
const [visit] = performance.getEntriesByType('navigation');
const send = () => {
  if (!form.dataset.sent) form.requestSubmit(form.querySelector('button[value="taken"]'));
};
const whenSeen = () => {
  if (document.visibilityState === 'visible') send();
  else document.addEventListener('visibilitychange', whenSeen, { once: true });
};
if (form && (!visit || visit.type === 'navigate')) {
  if (document.prerendering) {
    document.addEventListener('prerenderingchange', whenSeen, { once: true });
  } else whenSeen();
}
