// The sound of a reminder: tones of 500 to 1000 Hz, or the person's own file. It fades in over ten
// seconds and plays until stopped. Other scripts control it with `sound` events.
const risingSeconds = 10;
let context;
let playing;
let isSample = false;
// Length, decay and start of each tone.
const melodies = {
  bell: [0.28, 0, [[0, 587], [0.3, 880], [0.7, 587], [1, 880]]],
  chime: [0.6, 3, [[0, 523], [0.25, 659], [0.5, 784], [0.75, 988]]],
  pulse: [0.12, 0, [[0, 800], [0.2, 800], [0.4, 800], [1, 800], [1.2, 800], [1.4, 800]]],
  wood: [0.15, 24, [[0, 620], [0.25, 620], [0.5, 740], [1, 620], [1.25, 620], [1.5, 740]]],
};
const melody = (rate, name) => {
  const buffer = context.createBuffer(1, rate * 2, rate);
  const samples = buffer.getChannelData(0);
  const [length, fading, tones] = melodies[name] ?? melodies.bell;
  for (const [start, hertz] of tones) {
    for (let i = 0; i < rate * length; i += 1) {
      const seconds = i / rate;
      const swell = Math.min(1, seconds / 0.012, (length - seconds) / 0.06) * Math.exp(-fading * seconds);
      const phase = 2 * Math.PI * hertz * seconds;
      samples[Math.round(start * rate) + i] += swell * (Math.sin(phase) + 0.15 * Math.sin(2 * phase)) / 1.2;
    }
  }
  return buffer;
};
const own = {};
const sounding = async (name) => {
  if (!name || name in melodies) return melody(context.sampleRate, name);
  own[name] ??= fetch(`/alarms/sounds/${encodeURIComponent(name)}`).then((answer) => {
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.arrayBuffer();
  }).then((bytes) => context.decodeAudioData(bytes));
  try {
    return await own[name];
  } catch {
    // There is a sound even without it.
    delete own[name];
    return melody(context.sampleRate);
  }
};
const wake = async () => {
  context ??= new AudioContext();
  // Without a tap, a browser may never settle this.
  if (context.state !== 'running') {
    await Promise.race([context.resume(), new Promise((done) => { setTimeout(done, 400); })]);
  }
  return context.state === 'running';
};
let wanted = 0;
const stop = () => {
  wanted += 1;
  playing?.stop();
  playing = undefined;
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(0);
};
const start = async (seconds, name) => {
  if (playing && !isSample) return;
  stop();
  if (name === 'mute') return;
  const turn = wanted;
  const buffer = await sounding(name);
  // Stopped while the file was loading.
  if (turn !== wanted) return;
  isSample = Boolean(seconds);
  const volume = context.createGain();
  const now = context.currentTime;
  volume.gain.setValueAtTime(0.06, now);
  volume.gain.exponentialRampToValueAtTime(1, now + (seconds ? 1 : risingSeconds));
  const source = context.createBufferSource();
  source.buffer = buffer;
  source.loop = true;
  source.connect(volume).connect(context.destination);
  source.start();
  if (seconds) source.stop(now + seconds);
  source.onended = () => { if (playing === source) playing = undefined; };
  playing = source;
};
// `detail`: the action, and its seconds unless it plays until stopped.
document.addEventListener('sound', async ({ detail: { wish, seconds, name } }) => {
  if (wish === 'stop') {
    stop();
    return;
  }
  const isHeard = await wake().catch(() => false);
  if (isHeard && wish === 'play') await start(seconds, name);
  document.dispatchEvent(new CustomEvent('sound-state', { detail: { isHeard } }));
});
for (const button of document.querySelectorAll('[data-try-sound]')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    const name = document.getElementById(button.dataset.trySound).value;
    document.dispatchEvent(new CustomEvent('sound', { detail: { wish: 'play', seconds: 2, name } }));
  });
}
