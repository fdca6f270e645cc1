// Live updates: reloads the visible page when the server reports a change, but not while someone is
// typing or a form is being sent.
if ('live' in document.documentElement.dataset) {
  const main = document.querySelector('main');
  let events;
  let soon;
  let isEdited = false;
  document.addEventListener('input', () => { isEdited = true; });
  const load = () => new Promise((resolve, reject) => {
    // Parsed as a document, so that no script in it runs.
    const request = new XMLHttpRequest();
    request.open('GET', location.href);
    request.responseType = 'document';
    request.timeout = 10000;
    request.onload = () => { if (request.status < 500) resolve(request); else reject(); };
    request.onerror = request.ontimeout = reject;
    request.send();
  });
  let asked = 0;
  const refresh = async () => {
    asked += 1;
    const mine = asked;
    const { response, responseURL } = await load();
    // A later request has the newer answer.
    if (mine < asked || isEdited || document.querySelector('form[data-sent]')) return;
    const next = response?.querySelector('main');
    const { account } = document.documentElement.dataset;
    if (!next || new URL(responseURL).pathname !== location.pathname
      || response.documentElement.dataset.account !== account) {
      location.reload();
      return;
    }
    const focusable = () => [...main.querySelectorAll('button,input,a,summary,[tabindex]')];
    const focused = focusable().indexOf(document.activeElement);
    const count = focusable().length;
    const row = document.activeElement.closest('main [data-part]');
    const inRow = row && [...row.querySelectorAll('button,a,summary')].indexOf(document.activeElement);
    const unfolded = [...main.querySelectorAll('details')].map((one) => one.open);
    main.replaceChildren(...next.childNodes);
    document.documentElement.dataset.changes = response.documentElement.dataset.changes;
    [...main.querySelectorAll('details')].forEach((one, index) => {
      if (unfolded[index]) one.open = true;
    });
    // Keeps the focus on the same control, unless another one took its place.
    const again = row?.id && document.getElementById(row.id);
    if (again && again.dataset.part === row.dataset.part) {
      [...again.querySelectorAll('button,a,summary')][inRow]?.focus({ preventScroll: true });
    } else if (focused >= 0 && focusable().length === count) focusable()[focused].focus();
  };
  // Changes already shown in place need no reload.
  let news = [];
  const isShown = ({ id, state, version }) =>
    document.getElementById(`dose-${id}`)?.dataset.part === `${state} ${version}`;
  const refreshIn = (milliseconds) => {
    // Not debounced: a page of many people would never reload.
    soon ??= setTimeout(() => {
      soon = undefined;
      const isKnown = news.length && news.every(isShown);
      news = [];
      if (isKnown) return;
      // Changes are announced only once, so a failed load is retried while the page is seen.
      refresh().catch(() => { if (events) refreshIn(5000); });
    }, milliseconds);
  };
  const changed = (event) => {
    // Everything but doses reloads the page.
    news.push(event?.type === 'dose' ? JSON.parse(event.data) : {});
    refreshIn(400);
  };
  const follow = () => {
    if (document.visibilityState !== 'visible') {
      events?.close();
      events = undefined;
      return;
    }
    if (events) return;
    // Starts at the page's own cursor, so that no change is missed.
    events = new EventSource(`/api/v1/events?since=${document.documentElement.dataset.changes}`);
    for (const kind of ['dose', 'proposal', 'warning', 'message']) events.addEventListener(kind, changed);
  };
  document.addEventListener('visibilitychange', () => {
    follow();
    // Changes while hidden were not announced.
    if (document.visibilityState === 'visible') changed();
  });
  addEventListener('pagehide', () => events?.close());
  addEventListener('pageshow', (event) => {
    if (!event.persisted) return;
    events = undefined;
    follow();
    changed();
  });
  follow();
}
