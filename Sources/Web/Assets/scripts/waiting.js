// Names the other people whose entries are queued on this device, and nothing else about them.
// After signing out, the device keeps only those entries.
{
  const { account, signedOut, erased } = document.documentElement.dataset;
  const registered = () => navigator.serviceWorker?.getRegistration();
  const ask = async (question) => {
    const worker = (await registered())?.active;
    if (!worker) return undefined;
    const { port1, port2 } = new MessageChannel();
    return new Promise((resolve) => {
      port1.onmessage = ({ data }) => resolve(data);
      worker.postMessage(question, [port2]);
    });
  };
  const tidy = async () => {
    localStorage.clear();
    sessionStorage.clear();
    const registration = await registered();
    await (await registration?.pushManager?.getSubscription())?.unsubscribe();
    if (await ask({ ask: 'tidy', erased }) === 'empty') await registration.unregister();
  };
  // Signed out, no page opens offline.
  if (account === undefined && signedOut === undefined) ask({ ask: 'forget' }).catch(() => {});
  const look = async () => {
    const place = document.getElementById('waiting');
    if (!place) return;
    const names = await ask({ ask: 'waiting', account }) ?? [];
    const { words, someone } = place.dataset;
    const list = new Intl.ListFormat(document.documentElement.lang)
      .format(new Set(names.map((name) => name ?? someone)));
    const text = names.length ? words.replace('…', () => list) : '';
    place.hidden = !names.length;
    place.querySelector('p').textContent = text;
  };
  (signedOut === undefined ? Promise.resolve() : tidy().catch(() => {})).then(look).catch(() => {});
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') look().catch(() => {});
  });
}
