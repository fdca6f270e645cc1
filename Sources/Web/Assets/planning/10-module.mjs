// The engine of schedules, the same as on the server, in WebAssembly. Every question gets a fresh
// instance, so that a failure affects no other.
const modules = new Map();

export const answer = async (address, question) => {
  if (!modules.has(address)) modules.set(address, WebAssembly.compileStreaming(fetch(address)));
  return ask(await modules.get(address), question);
};

export const ask = async (module, question) => {
  const { memory, room, answer: run } = (await WebAssembly.instantiate(module, {})).exports;
  const text = new TextEncoder().encode(JSON.stringify(question));
  const begin = room(text.length) >>> 0;
  new Uint8Array(memory.buffer, begin, text.length).set(text);
  const result = run(begin, text.length) >>> 0;
  const length = new DataView(memory.buffer).getUint32(result, true);
  return JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, result + 4, length)));
};
