// The bedside page: a clock by the server's time, and each evening a test of all that alarms need.
const night = (name) => document.querySelector(`[data-night=${name}]`);
if (night('clock')) {
  const { zone, now, testHour } = night('clock').dataset;
  const began = performance.now();
  const language = document.documentElement.lang;
  const at = () => new Date(Number(now) + performance.now() - began);
  // 24 hours, like all times of these pages.
  const shown = new Intl.DateTimeFormat(
    language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: zone });
  const hours = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone: zone });
  const dates = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone: zone });
  const heard = () => new Promise((resolve) => {
    const told = ({ detail }) => resolve(detail.isHeard);
    document.addEventListener('sound-state', told, { once: true });
    setTimeout(() => resolve(false), 3000);
    const name = document.getElementById('ring')?.dataset.sound;
    document.dispatchEvent(new CustomEvent('sound', { detail: { wish: 'play', seconds: 2, name } }));
  });
  const awake = async () => {
    const lock = await navigator.wakeLock.request('screen');
    await lock.release();
    return true;
  };
  const live = async () => (await fetch('/health', { cache: 'no-store' })).ok;
  const test = async () => {
    const place = night('test');
    const bad = [];
    for (const [name, check] of Object.entries({ sound: heard, awake, live })) {
      if (!await check().catch(() => false)) bad.push(place.dataset[name]);
    }
    const words = bad.length ? `${place.dataset.bad} ${bad.join(' ')}` : place.dataset.ok;
    place.textContent = `${shown.format(at())} · ${words}`;
    place.dataset.is = bad.length ? 'no' : 'yes';
  };
  let tested = hours.format(at()) >= testHour ? dates.format(at()) : '';
  const tick = () => {
    const moment = at();
    const text = shown.format(moment);
    if (night('clock').textContent !== text) night('clock').textContent = text;
    if (Number(hours.format(moment)) < Number(testHour) || tested === dates.format(moment)) return;
    // Not during an alarm.
    if (document.getElementById('ring')?.dataset.state === 'ringing') return;
    tested = dates.format(moment);
    test();
  };
  setInterval(tick, 1000);
  tick();
  document.addEventListener('click', (event) => {
    if (event.target.closest?.('[data-night=now]')) test();
  });
}
