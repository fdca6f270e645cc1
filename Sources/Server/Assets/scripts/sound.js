// The sound of a reminder: two tones between 500 and 1000 Hz, made here, rising for ten seconds
// and going on until stopped. Other scripts ask for it by `sound` events and hear how it went.
const risingSeconds = 10;
let context;
let playing;
let isSample = false;
const melody = (rate) => {
  const buffer = context.createBuffer(1, rate * 2, rate);
  const samples = buffer.getChannelData(0);
  for (const [start, hertz] of [[0, 587], [0.3, 880], [0.7, 587], [1, 880]]) {
    for (let i = 0; i < rate * 0.28; i += 1) {
      const seconds = i / rate;
      const swell = Math.min(1, seconds / 0.012, (0.28 - seconds) / 0.06);
      const phase = 2 * Math.PI * hertz * seconds;
      samples[Math.round(start * rate) + i] += swell * (Math.sin(phase) + 0.15 * Math.sin(2 * phase)) / 1.2;
    }
  }
  return buffer;
};
const wake = async () => {
  context ??= new AudioContext();
  // Without a tap on the page a browser may leave this waiting for ever.
  if (context.state !== 'running') {
    await Promise.race([context.resume(), new Promise((done) => { setTimeout(done, 400); })]);
  }
  return context.state === 'running';
};
const stop = () => {
  playing?.stop();
  playing = undefined;
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(0);
};
const start = (seconds) => {
  if (playing && !isSample) return;
  stop();
  isSample = Boolean(seconds);
  const volume = context.createGain();
  const now = context.currentTime;
  volume.gain.setValueAtTime(0.06, now);
  volume.gain.exponentialRampToValueAtTime(1, now + (seconds ? 1 : risingSeconds));
  const source = context.createBufferSource();
  source.buffer = melody(context.sampleRate);
  source.loop = true;
  source.connect(volume).connect(context.destination);
  source.start();
  if (seconds) source.stop(now + seconds);
  source.onended = () => { if (playing === source) playing = undefined; };
  playing = source;
};
// `detail`: what to do, and for how many seconds where not until stopped.
document.addEventListener('sound', async ({ detail: { wish, seconds } }) => {
  if (wish === 'stop') {
    stop();
    return;
  }
  const isHeard = await wake().catch(() => false);
  if (isHeard && wish === 'play') start(seconds);
  document.dispatchEvent(new CustomEvent('sound-state', { detail: { isHeard } }));
});
