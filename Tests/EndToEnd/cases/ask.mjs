// SPDX-License-Identifier: Apache-2.0
// Answers the questions of standard input by the module for browsers: node ask.mjs 10-module.mjs scheduling.wasm.gz
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const [loader, module] = process.argv.slice(2);
const { ask } = await import(`data:text/javascript,${encodeURIComponent(readFileSync(loader, 'utf8'))}`);
const compiled = await WebAssembly.compile(gunzipSync(readFileSync(module)));
const answers = [];
for (const question of JSON.parse(readFileSync(0, 'utf8'))) answers.push(await ask(compiled, question));
console.log(JSON.stringify(answers));
