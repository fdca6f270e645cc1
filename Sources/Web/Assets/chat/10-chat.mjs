// An open conversation updates itself: messages are sent without leaving the page, queued by the
// service worker while offline, and new ones appear. Without it, there is a form and a link.
const chat = document.getElementById('chat');
const { account, accountName: name } = document.documentElement.dataset;
const main = document.querySelector('main');
const writing = () => document.getElementById('chat-write');
const form = () => writing()?.querySelector('form');
const load = (method, address, body) => new Promise((resolve, reject) => {
  // Parsed as a document, so that no script in it runs.
  const request = new XMLHttpRequest();
  request.open(method, address);
  request.responseType = 'document';
  request.timeout = 20000;
  request.onload = () => resolve(request);
  request.onerror = request.ontimeout = reject;
  request.send(body);
});
const isNearEnd = () => {
  const end = document.getElementById('end').getBoundingClientRect();
  return end.top < innerHeight + 200;
};
const toEnd = () => document.getElementById('end').scrollIntoView({ block: 'center' });
// Queued messages are shown after the others until they are sent.
const pending = document.createElement('ol');
pending.className = 'chat-messages';
pending.setAttribute('role', 'list');
const place = () => { if (pending.childElementCount) document.getElementById('chat-log').append(pending); };
const show = (page, isToEnd) => {
  const next = page?.getElementById('chat-log');
  const log = document.getElementById('chat-log');
  if (!next || page.documentElement.dataset.account !== account) {
    location.reload();
    return;
  }
  const wasAtEnd = isToEnd || isNearEnd();
  log.replaceChildren(...next.childNodes);
  for (const one of [...pending.children]) {
    if (log.querySelector(`[data-event="${one.dataset.pending}"]`)) one.remove();
  }
  place();
  // If writing has been disabled meanwhile, the form is removed.
  if (!page.getElementById('chat-write')) writing()?.remove();
  if (wasAtEnd) toEnd();
};
let isAsking = false;
let isAskedAgain = false;
const refresh = async () => {
  if (document.visibilityState !== 'visible') return;
  if (isAsking) {
    isAskedAgain = true;
    return;
  }
  isAsking = true;
  try {
    show((await load('GET', location.pathname)).response);
  } catch {
    // The stream reports it again once the network is back.
  } finally {
    isAsking = false;
    if (isAskedAgain) soon();
    isAskedAgain = false;
  }
};
let timer;
const soon = () => {
  clearTimeout(timer);
  timer = setTimeout(refresh, 200);
};
const wait = (text, event, word) => {
  const row = document.createElement('li');
  row.className = 'chat-message chat-ours';
  row.dataset.pending = event;
  const words = document.createElement('p');
  words.className = 'chat-text';
  words.dir = 'auto';
  words.textContent = text;
  const state = document.createElement('p');
  state.className = 'muted';
  state.setAttribute('role', 'status');
  state.textContent = writing().dataset[word];
  row.append(words, state);
  pending.append(row);
  place();
  toEnd();
};
// A new message needs a new event.
const clear = (event) => {
  const fields = form()?.elements;
  if (!fields) return;
  fields.text.value = '';
  if (fields.link) fields.link.value = '';
  fields.event.value = event ?? crypto.randomUUID();
};
const keep = (data) => new Promise((resolve) => {
  const worker = navigator.serviceWorker?.controller;
  if (!worker) {
    resolve('lost');
    return;
  }
  const text = data.get('text');
  const [kind, ...target] = (data.get('link') ?? '').split(':');
  const answer = {
    path: `/api/v1/conversations/${encodeURIComponent(chat.dataset.conversation)}/messages`,
    event: data.get('event'), text, ...(target.length && { [kind]: target.join(':') }),
  };
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data: word }) => resolve(word);
  const owner = { account, name, patient: chat.dataset.patient };
  worker.postMessage({ answers: [answer], pressed: Date.now(), owner }, [port2]);
});
if (chat && !('still' in chat.dataset)) {
  main.addEventListener('submit', async (event) => {
    const sent = event.target;
    if (sent !== form()) return;
    event.preventDefault();
    const data = new FormData(sent);
    const release = () => {
      delete sent.dataset.sent;
      for (const one of sent.querySelectorAll('[aria-disabled]')) one.removeAttribute('aria-disabled');
    };
    if (!data.get('text').trim()) {
      release();
      sent.elements.text.focus();
      return;
    }
    try {
      const { status, response } = await load('POST', sent.getAttribute('action'), new URLSearchParams(data));
      if (status >= 400) {
        // The returned page shows the mistakes and the input.
        const next = response?.querySelector('main');
        if (!next?.querySelector('#chat')) location.reload();
        else {
          main.replaceChildren(...next.childNodes);
          place();
          document.getElementById('error-summary')?.focus();
        }
      } else {
        show(response, true);
        clear(response?.querySelector('#chat-write [name=event]')?.value);
        form()?.elements.text.focus();
      }
    } catch {
      const word = await keep(data);
      if (word === 'kept') {
        wait(data.get('text'), data.get('event'), word);
        clear();
      } else {
        const state = document.createElement('p');
        state.setAttribute('role', 'status');
        state.textContent = writing().dataset.lost;
        writing().append(state);
        setTimeout(() => state.remove(), 20000);
      }
    }
    release();
  });
  let events;
  const follow = () => {
    if (document.visibilityState !== 'visible') {
      events?.close();
      events = undefined;
      return;
    }
    if (events) return;
    events = new EventSource('/api/v1/events');
    events.addEventListener('message', ({ data }) => {
      if (JSON.parse(data).patient === chat.dataset.patient) soon();
    });
  };
  document.addEventListener('visibilitychange', () => {
    follow();
    soon();
  });
  addEventListener('pagehide', () => events?.close());
  addEventListener('pageshow', (event) => {
    if (!event.persisted) return;
    events = undefined;
    follow();
    soon();
  });
  addEventListener('online', () => setTimeout(soon, 1000));
  // If the stream was refused or has ended, the page polls.
  setInterval(() => { if (events?.readyState === EventSource.CLOSED || pending.childElementCount) soon(); }, 5000);
  follow();
  if (!location.hash && !document.getElementById('error-summary')) toEnd();
}
