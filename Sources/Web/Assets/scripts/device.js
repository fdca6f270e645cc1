// Registers the service worker, and checks whether this device can receive reminders.
const root = document.documentElement;
if (root.dataset.account !== undefined && navigator.serviceWorker) {
  const policy = globalThis.trustedTypes?.createPolicy('regimen', {
    createScriptURL: () => '/service-worker.js',
  });
  const address = policy ? policy.createScriptURL('') : '/service-worker.js';
  const registered = navigator.serviceWorker.register(address, { updateViaCache: 'none' })
    .then(() => navigator.serviceWorker.ready);
  const json = async (method, path, body) => {
    const answer = await fetch(path, {
      method, headers: { 'Content-Type': 'application/json' }, body: body && JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.json();
  };
  const listed = '/api/v1/push-subscriptions';
  // Sends this account's queued entries.
  const [offline, rights] = (root.dataset.offline ?? '').split(' ');
  const isApp = matchMedia('(display-mode: standalone)').matches || navigator.standalone === true;
  const flush = (registration) => registration.active?.postMessage({
    isApp,
    owner: { account: root.dataset.account, name: root.dataset.accountName },
    offline, isView: rights === 'view', person: location.pathname === '/' ? root.dataset.person : undefined,
  });
  // Sends the push address at each load, as devices lose it silently.
  const { brands, platform } = navigator.userAgentData ?? {};
  const label = [brands?.find(({ brand }) => !/not.a.brand|^Chromium$/i.test(brand))?.brand
    ?? /Firefox|iPhone|iPad|Safari|Chrome/.exec(navigator.userAgent)?.[0], platform]
    .filter(Boolean).join(', ');
  const tell = async (subscription) => {
    const { id } = await json('POST', listed, { ...subscription.toJSON(), label });
    localStorage.setItem('device', id);
    return id;
  };
  const subscribe = async (registration) => {
    const { vapidPublicKey } = await json('GET', listed);
    const options = { userVisibleOnly: true, applicationServerKey: vapidPublicKey };
    try {
      return await registration.pushManager.subscribe(options);
    } catch (error) {
      if (error.name !== 'InvalidStateError') throw error;
      // Made with the key of an earlier server.
      await (await registration.pushManager.getSubscription())?.unsubscribe();
      return registration.pushManager.subscribe(options);
    }
  };
  const synced = registered.then(async (registration) => {
    flush(registration);
    const known = await registration.pushManager?.getSubscription();
    if (known) return tell(known);
    const isWanted = localStorage.getItem('device') && Notification.permission === 'granted';
    return isWanted ? tell(await subscribe(registration)) : undefined;
  });
  synced.catch(() => {});
  addEventListener('online', () => registered.then(flush));

  const checks = document.getElementById('checks');
  if (checks) {
    const mark = (name, result, detail) => {
      const row = checks.querySelector(`[data-check=${name}]`);
      if (!row) return;
      row.dataset.result = result;
      row.querySelector('[data-words]').textContent = row.dataset[result].replace('…', detail ?? '');
    };
    // Opened from a test notification, so it arrived.
    const confirmTest = async (id) => {
      if (!new URLSearchParams(location.search).has('delivery')) return;
      const path = `${listed}/${encodeURIComponent(id)}/confirm`;
      const answer = await fetch(path, {
        method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}',
      });
      if (answer.ok) location.replace('/device?done=confirmed');
    };
    const push = async () => {
      const permission = globalThis.Notification?.permission;
      mark('installed', isApp ? 'pass' : 'open');
      mark('permission', { granted: 'pass', denied: 'fail' }[permission] ?? (permission ? 'open' : 'none'));
      const id = await synced.catch(() => undefined);
      mark('push', id ? 'pass' : globalThis.PushManager ? 'open' : 'none');
      for (const device of document.querySelectorAll('[data-device]')) {
        device.querySelector('[data-this]').hidden = device.dataset.device !== id;
      }
      document.getElementById('enable').hidden = Boolean(id) || !globalThis.PushManager;
      if (id) await confirmTest(id);
    };
    const clock = async () => {
      const begun = Date.now();
      const { now } = await json('GET', '/device/clock');
      const seconds = Math.round(Math.abs(now - (begun + Date.now()) / 2) / 1000);
      const { value, unit } = seconds < 120
        ? { value: seconds, unit: 'second' } : { value: Math.round(seconds / 60), unit: 'minute' };
      const words = new Intl.NumberFormat(root.lang, { style: 'unit', unit, unitDisplay: 'long' });
      mark('clock', seconds <= 30 ? 'pass' : 'fail', words.format(value));
    };
    const awake = async () => {
      try {
        const lock = await navigator.wakeLock.request('screen');
        mark('awake', 'pass');
        await lock.release();
      } catch {
        mark('awake', 'none');
      }
    };
    document.addEventListener('sound-state', ({ detail: { isHeard } }) => {
      mark('sound', isHeard ? 'pass' : 'fail');
    });
    document.getElementById('sound').addEventListener('click', () => {
      document.dispatchEvent(new CustomEvent('sound', { detail: { wish: 'play', seconds: 4 } }));
    });
    const enable = document.getElementById('enable');
    enable.addEventListener('click', async () => {
      try {
        if (await Notification.requestPermission() === 'granted') {
          await tell(await subscribe(await registered));
          location.reload();
          return;
        }
      } catch {
        mark('push', 'fail');
        return;
      }
      push();
    });
    for (const element of document.querySelectorAll('[data-script]')) element.hidden = false;
    const ofPlatform = /iphone|ipad/i.test(navigator.userAgent) ? 'apple'
      : /android/i.test(navigator.userAgent) ? 'android' : 'computer';
    document.querySelector(`[data-platform=${ofPlatform}] details`).open = true;
    mark('sound', 'open');
    push();
    clock().catch(() => mark('clock', 'none'));
    awake();
  }
}
