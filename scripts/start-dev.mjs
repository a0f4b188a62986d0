// npm run start:dev: runs the service, compiles files of src that change, and restarts it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { sep } from 'node:path';
import { setTimeout } from 'node:timers';
import { compileChanged, SOURCES } from './compiler.mjs';

/** Editors and git write several files at a time. */
const GATHER_MS = 100;
const changed = new Set();
let service;
let work = Promise.resolve();

function start() {
  // A separate process group: Ctrl-C reaches only this script, so the service receives one signal and stops properly.
  const child = spawn(process.execPath, ['dist/main.js'], { stdio: 'inherit', detached: true });
  child.once('exit', (code) => {
    if (code) console.error(`The service ended with ${code}. It starts again after the next change.`);
  });
  return child;
}

async function stop() {
  if (service === undefined || service.exitCode !== null || service.signalCode !== null) return;
  service.kill('SIGTERM');
  await once(service, 'exit');
}

async function update() {
  const files = [...changed];
  changed.clear();
  try {
    const compiled = await compileChanged(files);
    if (compiled.length === 0) return;
    console.error(`Changed: ${compiled.join(', ')}. Restarting …`);
  } catch (error) {
    console.error(`${error.message}\nThe service runs on as it was.`);
    return;
  }
  await stop();
  service = start();
}

const gathered = setTimeout(() => (work = work.then(update)), GATHER_MS);
watch(SOURCES, { recursive: true }, (_, file) => {
  changed.add(file.replaceAll(sep, '/'));
  gathered.refresh();
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, async () => {
    await stop();
    process.exit();
  });
}
// The service is started last, so that the script notices a change or a signal right after the start.
service = start();
