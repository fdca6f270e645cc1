// Reloads a page that is no longer fresh when it is seen again, unless unsaved input would be lost.
const seconds = Number(document.documentElement.dataset.secondsFresh);
if (seconds > 0) {
  let loaded = Date.now();
  let isEdited = false;
  document.addEventListener('input', () => { isEdited = true; });
  const refresh = () => {
    const isStale = Date.now() - loaded > seconds * 1000;
    if (document.visibilityState !== 'visible' || !isStale || isEdited) return;
    if (document.querySelector('form[data-sent]')) return;
    loaded = Date.now();
    location.reload();
  };
  document.addEventListener('visibilitychange', refresh);
  addEventListener('pageshow', (event) => { if (event.persisted) refresh(); });
}
