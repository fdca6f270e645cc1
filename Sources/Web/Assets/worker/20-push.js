// Every push shows a notification with its own text; a tap opens its page.
const pathOf = (address) => {
  try {
    const { pathname, search } = new URL(address, location.origin);
    return pathname + search;
  } catch {
    return '/';
  }
};
const show = (title, more) => registration.showNotification(title, {
  lang: words.language, icon: words.icon, badge: words.badge, ...more,
});
// Chromium loses a notification that is being shown while another event lists them.
let turn = Promise.resolve();
const inTurn = (work) => {
  const done = turn.then(work);
  turn = done.catch(() => {});
  return done;
};
const windows = () => clients.matchAll({ type: 'window', includeUncontrolled: true });
const ring = async (data) => {
  let message = {};
  try {
    message = data.json() ?? {};
  } catch {
    // A notification is shown anyway.
  }
  const declared = message.notification ?? {};
  const path = pathOf(message.path ?? declared.navigate ?? '/');
  const doses = Array.isArray(message.doses) ? message.doses : [];
  const tag = [message.tag, declared.tag].find((one) => one && typeof one === 'string') ?? 'regimen';
  const isDose = message.kind === 'doses' && doses.length > 0;
  const isAlarm = message.kind === 'alarm' && typeof message.occasion === 'string';
  const isQuestion = message.kind === 'lead' && typeof message.question === 'string';
  // Push services may deliver twice: the same message does not sound again.
  const display = (isAgain) => show(message.title ?? declared.title ?? words.product, {
    body: message.body ?? declared.body ?? words.look,
    tag, renotify: !isAgain, silent: isAgain, requireInteraction: isDose || isAlarm,
    ...(!isAgain && { vibrate: [400, 200, 400, 200, 800] }),
    timestamp: Date.parse(message.due) || Date.now(),
    data: {
      path, doses, delivery: message.delivery, kind: message.kind,
      account: message.account, patient: message.patient,
      ...(isAlarm && { occasion: message.occasion, minutes: message.minutes }),
      ...(isQuestion && { question: message.question }),
    },
    ...(typeof message.lang === 'string' && { lang: message.lang }),
    actions: !isDose && !isAlarm && !isQuestion ? [] : Array.isArray(message.actions) ? message.actions : !isDose ? [] : [
      { action: 'taken', title: words.taken }, { action: 'later', title: words.later },
    ],
  });
  await inTurn(async () => {
    const shown = await registration.getNotifications({ tag }).catch(() => []);
    await display(shown.some((one) => message.delivery && one.data?.delivery === message.delivery));
  });
  for (const window of await windows()) window.postMessage({ rings: path });
  if (typeof message.delivery === 'string') {
    const report = `/api/v1/deliveries/${encodeURIComponent(message.delivery)}/shown`;
    await keep(`shown ${message.delivery}`, Date.now(), { path: report, account: message.account });
  }
  await flush();
  await Promise.all([renewCopy('/', 600000), showBadge()]);
};
const open = async (path) => {
  const known = (await windows()).find((window) => pathOf(window.url) === path);
  return known ? known.focus() : clients.openWindow(path);
};
// Shows the outcome of a press unless it is simply done.
const tell = async (outcome, notification) => {
  const { tag, data, title } = notification;
  if (outcome === 'done') return;
  let body = words[outcome];
  if (outcome === 'answered') {
    const state = await fetch(`${data.path}/state`).then((answer) => answer.json()).catch(() => ({}));
    body = state.body ?? body;
  }
  await inTurn(() => show(title, { tag, body, silent: true, data }));
};
const press = async (notification, action, pressed) => {
  const { doses, occasion, question, account, patient, minutes } = notification.data;
  // The answer whether a dose helped, the time of an alarm, or all doses in one alarm.
  const answers = question ? [{
    path: `/api/v1/follow-ups/${encodeURIComponent(question)}/answers`,
    event: crypto.randomUUID(), patient, answer: action,
  }] : occasion ? [{
    path: `/api/v1/alarms/occasions/${encodeURIComponent(occasion)}/answers`,
    event: crypto.randomUUID(), patient, action, ...(action === 'later' && { minutes }),
  }] : doses.map((dose) => ({
    dose, event: crypto.randomUUID(), action, ...(action === 'later' && { minutes: words.laterMinutes }),
  }));
  await tell(await answerDoses(answers, pressed, { account, patient }), notification);
};
const syncSubscription = async (subscription, owner) => {
  const answer = await post('/api/v1/push-subscriptions', subscription, owner);
  return answer.ok ? (await answer.json()).id : undefined;
};
// A tap on a test proves that it arrived.
const confirmTest = async ({ account }) => {
  const subscription = await registration.pushManager.getSubscription();
  const id = subscription && await syncSubscription(subscription, { account });
  if (id) await post(`/api/v1/push-subscriptions/${encodeURIComponent(id)}/confirm`, {}, { account });
};
const renew = async (event) => {
  let options = event.oldSubscription?.options;
  if (!options) {
    const { vapidPublicKey } = await (await fetch('/api/v1/push-subscriptions')).json();
    options = { userVisibleOnly: true, applicationServerKey: vapidPublicKey };
  }
  await syncSubscription(event.newSubscription ?? await registration.pushManager.subscribe(options));
};
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('push', (event) => event.waitUntil(ring(event.data)));
addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event)));
addEventListener('sync', (event) => event.waitUntil(flush()));
const asked = {
  tidy: ({ erased }) => tidy(erased), waiting: ({ account }) => waiting(account),
  mine: ({ account }) => mine(account), forget: () => clearBadge().then(forgetCopies), drop: ({ events }) => drop(events),
};
addEventListener('message', (event) => {
  const { answers, pressed, owner = {}, ask, isAhead, isLate, late = [], offline, isApp } = event.data ?? {};
  if (offline !== undefined) event.waitUntil(prepareCopies(event.data));
  if (isApp) event.waitUntil(showBadge(60000));
  const reply = (found) => event.ports[0]?.postMessage(found);
  const send = async () => {
    await remember(owner).catch(() => {});
    if (late.length) await markLate(late).catch(() => {});
    await flush();
  };
  if (ask in asked) event.waitUntil(asked[ask](event.data).then(reply));
  // The page confirms that an answer is queued, and warns if nothing can be stored.
  else if (Array.isArray(answers)) {
    const kept = keepAnswers(answers, pressed, owner, isLate);
    keeping = Promise.allSettled([keeping, kept]);
    event.waitUntil(kept.then(() => {
      reply('kept');
      return isAhead ? undefined : send();
    }, () => reply('lost')));
  } else event.waitUntil(send());
});
addEventListener('notificationclick', (event) => {
  const { notification, action } = event;
  const data = notification.data ?? {};
  notification.close();
  if (action && (data.question || data.occasion || data.doses?.length)) {
    event.waitUntil(press(notification, action, Date.now()));
    return;
  }
  const confirmed = data.kind === 'test' ? confirmTest(data).catch(() => {}) : undefined;
  event.waitUntil(Promise.all([open(data.path ?? '/'), confirmed]));
});
