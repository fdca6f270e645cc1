// The alarm page: sound and wake lock, live updates, answers that are queued offline. The server
// renders every state.
const ring = () => document.getElementById('ring');
if (ring()) {
  const main = document.querySelector('main');
  const part = (name) => main.querySelector(`[data-ring=${name}]`);
  const say = (name, word) => {
    const place = part(name);
    if (!place) return;
    place.textContent = place.dataset[word] ?? '';
    place.dataset.is = word;
  };
  const sound = (wish, seconds) =>
    document.dispatchEvent(new CustomEvent('sound', { detail: { wish, seconds, name: ring().dataset.sound } }));
  let isSilenced = false;
  let isLive = false;
  let timer;
  let repeat;
  let lock;
  let again;
  let shownAt;
  const remaining = () => ring().dataset.next - ring().dataset.now - (performance.now() - shownAt);
  // The server's clock decides; a long wait is renewed each hour.
  const waitForNext = () => {
    clearTimeout(timer);
    timer = setTimeout(due, Math.min(Math.max(remaining(), 0) + 300, 3600000));
  };

  const stayAwake = async () => {
    try {
      lock = await navigator.wakeLock.request('screen');
      say('awake', 'yes');
    } catch {
      say('awake', 'no');
    }
  };
  const silence = () => {
    isSilenced = true;
    clearInterval(repeat);
    sound('stop');
    buttons();
    clearTimeout(again);
    // At the bedside, silence is temporary: someone who fell asleep is woken again.
    if (document.querySelector('.night')) again = setTimeout(insist, 300000);
  };
  const insist = () => {
    if (!ringing) return;
    isSilenced = false;
    buttons();
    sounds();
  };
  // One button for the sound: the one that changes it.
  let isHeard = false;
  const buttons = () => {
    const isRinging = ringing && !isSilenced;
    for (const button of main.querySelectorAll('[data-ring=stop]')) {
      button.hidden = !isRinging || !isHeard;
    }
    for (const button of main.querySelectorAll('[data-ring=arm]')) {
      button.hidden = isHeard || (ringing && isSilenced);
    }
  };
  // The ringing doses, so that a new one rings again after `Stop sound`.
  let ringing = '';
  const begin = () => {
    const box = ring();
    shownAt = performance.now();
    for (const element of main.querySelectorAll('[data-script]')) element.hidden = false;
    say('live', isLive ? 'yes' : 'no');
    say('sound', isHeard ? 'yes' : 'no');
    if (lock && !lock.released) say('awake', 'yes');
    clearTimeout(timer);
    if (box.dataset.state === 'ringing') {
      const known = ringing.split(' ');
      const isNew = box.dataset.doses.split(' ').some((dose) => !known.includes(dose));
      ringing = box.dataset.doses;
      if (isNew) isSilenced = false;
      buttons();
      if (isNew) sounds();
      return;
    }
    ringing = '';
    buttons();
    clearInterval(repeat);
    sound('stop');
    if (box.dataset.next) waitForNext();
  };
  // A browser mutes a page without a tap, except for an installed app: try once.
  let isTried = false;
  const sounds = () => {
    const isTapped = navigator.userActivation?.hasBeenActive ?? true;
    if (isTapped || !isTried) sound('play');
    isTried = true;
    clearInterval(repeat);
    if (isTapped && navigator.vibrate) {
      repeat = setInterval(() => navigator.vibrate([600, 300, 600]), 3000);
    }
    focusSound();
  };
  const focusSound = () => {
    [...main.querySelectorAll('[data-ring=stop],[data-ring=arm]')]
      .find((button) => button.checkVisibility())?.focus();
  };
  const load = (method, address, body) => new Promise((resolve, reject) => {
    // Parsed as a document, so that no script in it runs.
    const request = new XMLHttpRequest();
    request.open(method, address);
    request.responseType = 'document';
    request.timeout = 10000;
    request.onload = () => resolve(request);
    request.onerror = request.ontimeout = reject;
    request.send(body);
  });
  // The account and person that this page was made for.
  const { account, person: patient } = document.documentElement.dataset;
  const show = ({ response, responseURL }) => {
    const next = response?.querySelector('main');
    const found = response?.documentElement.dataset;
    if (!next?.querySelector('#ring') || found.account !== account || found.person !== patient) {
      location.assign(responseURL || location.href);
      return;
    }
    const unticked = [...main.querySelectorAll('input[type=checkbox]:not(:checked)')]
      .map((box) => box.value.split(' ')[0]);
    const focusable = () => [...main.querySelectorAll('button,input,a')];
    const focused = focusable().indexOf(document.activeElement);
    const wasRinging = ringing;
    main.replaceChildren(...next.childNodes);
    document.title = response.title;
    for (const box of main.querySelectorAll('input[type=checkbox]')) {
      if (unticked.includes(box.value.split(' ')[0])) box.checked = false;
    }
    begin();
    // Keeps the focus on the same control.
    if (focused >= 0 && ringing === wasRinging) focusable()[focused]?.focus();
  };
  // The message about an answer, with its undo, stays for a while, although the answer reloads the
  // page.
  const noteMilliseconds = 20000;
  let answeredAt = -noteMilliseconds;
  const showKeepingNote = (found) => {
    const note = main.querySelector('.flash');
    show(found);
    if (!note || main.querySelector('.flash') || performance.now() - answeredAt > noteMilliseconds) return;
    main.prepend(note);
  };
  let loading;
  let isAskedAgain = false;
  let isOutdated = false;
  const refresh = () => {
    // One at a time; changes in the meantime cause one more request.
    if (loading) {
      isAskedAgain = true;
      return loading;
    }
    isOutdated = false;
    loading = load('GET', location.pathname).then((found) => {
      // An older state must never replace the one after an answer.
      if (!isOutdated) showKeepingNote(found);
    }).finally(() => {
      loading = undefined;
      if (isAskedAgain) changed();
      isAskedAgain = false;
    });
    return loading;
  };
  const due = () => refresh().catch(() => {
    // Offline, the next alarms are already on this page.
    const kept = part('kept');
    if (!kept) return;
    if (remaining() > 0) {
      waitForNext();
      return;
    }
    kept.hidden = false;
    part('armed').hidden = true;
    ringing = 'kept';
    isSilenced = false;
    buttons();
    sounds();
  });

  main.addEventListener('click', (event) => {
    const name = event.target.closest?.('[data-ring]')?.dataset.ring;
    if (name === 'stop') silence();
    if (name === 'arm') {
      isSilenced = false;
      sound('play', ringing ? undefined : 2);
      stayAwake();
    }
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && ringing) silence();
  });
  document.addEventListener('sound-state', ({ detail }) => {
    isHeard = detail.isHeard;
    say('sound', isHeard ? 'yes' : 'no');
    const hadFocus = main.contains(document.activeElement?.closest('[data-ring=stop],[data-ring=arm]'));
    buttons();
    if (hadFocus && ringing) focusSound();
  });
  document.addEventListener('visibilitychange', () => {
    // The lock is released when the page is hidden.
    if (document.visibilityState === 'visible' && isHeard) stayAwake();
  });

  // An answer is sent without leaving the page, so that it stays ready for the next dose.
  main.addEventListener('submit', async (event) => {
    const form = event.target;
    if (form.dataset.ring !== 'answer') return;
    event.preventDefault();
    silence();
    const data = new FormData(form, event.submitter);
    const pressed = Date.now();
    try {
      const found = await load('POST', form.getAttribute('action'), new URLSearchParams(data));
      answeredAt = performance.now();
      isOutdated = true;
      if (loading) isAskedAgain = true;
      show(found);
    } catch {
      document.dispatchEvent(new CustomEvent('keep', {
        detail: { form, data, pressed, submitter: event.submitter, told: (word) => say('sent', word) },
      }));
    }
    delete form.dataset.sent;
  });

  let soon;
  const changed = () => {
    clearTimeout(soon);
    soon = setTimeout(() => refresh().catch(() => {}), 200);
  };
  // Starts at the page's own cursor, so that no change is missed.
  const events = new EventSource(`/api/v1/events?since=${document.documentElement.dataset.changes}`);
  for (const kind of ['dose', 'delivery', 'proposal']) events.addEventListener(kind, changed);
  const connection = (isOpen) => () => {
    isLive = isOpen;
    say('live', isOpen ? 'yes' : 'no');
  };
  events.addEventListener('open', connection(true));
  events.addEventListener('error', connection(false));
  // If the stream was refused or has ended, the page polls.
  setInterval(() => { if (events.readyState === EventSource.CLOSED || !isLive) changed(); }, 4000);
  navigator.serviceWorker?.addEventListener('message', changed);
  begin();
}
