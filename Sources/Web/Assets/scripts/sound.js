// The sound of a reminder: tones between 500 and 1000 Hz, made here, or a file of the person's own,
// rising for ten seconds and going on until stopped. Other scripts ask for it by `sound` events and
// hear how it went.
const risingSeconds = 10;
let context;
let playing;
let isSample = false;
// How long a tone lasts, how fast it fades, and when which one comes.
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
    // Without it there is a sound even so.
    delete own[name];
    return melody(context.sampleRate);
  }
};
const wake = async () => {
  context ??= new AudioContext();
  // Without a tap on the page a browser may leave this waiting for ever.
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
  // Stopped while the file was on its way.
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
// `detail`: what to do, and for how many seconds where not until stopped.
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
