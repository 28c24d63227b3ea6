// Fails the build when the first load, or a lazy part of it, outgrows its budget (gzip, kB).
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const dist = new URL('../dist/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'));
const BUDGETS = { shell: 220, replay: 200, route: 60, markdown: 55 };

const size = (file) => gzipSync(readFileSync(new URL(file, dist))).length / 1024;

/** Every script that the entry pulls in statically: what a first visit must load. */
function staticFiles(key, seen = new Set()) {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const next of manifest[key].imports ?? []) staticFiles(next, seen);
  return seen;
}

const entry = Object.keys(manifest).find((key) => manifest[key].isEntry);
const shell = [...staticFiles(entry)];
const failures = [];

function report(name, kilobytes, budget) {
  const line = `${name.padEnd(44)} ${kilobytes.toFixed(1).padStart(7)} kB of ${budget}`;
  console.log(line);
  if (kilobytes > budget) failures.push(line);
}

/** What a visit that begins at this page must load in all. */
const firstLoad = (page) => [...new Set([...shell, ...staticFiles(page)])].reduce((sum, key) => sum + size(manifest[key].file), 0);

const signedIn = [...new Set([...shell, ...staticFiles('src/app/Shell.tsx')])];
/** What needs no login stands on the entry alone, every other page inside the shell. */
const PUBLIC = /SharedReplayRoute|auth\/|Shell\.tsx|i18n/;

report('signed in: shell', firstLoad('src/app/Shell.tsx'), BUDGETS.shell);
report('public replay: first load', firstLoad('src/app/pages/SharedReplayRoute.tsx'), BUDGETS.replay);
for (const [key, chunk] of Object.entries(manifest)) {
  if (!chunk.isDynamicEntry) continue;
  const there = PUBLIC.test(key) ? shell : signedIn;
  const extra = [...staticFiles(key)].filter((part) => !there.includes(part));
  const budget = /markdown/i.test(key) ? BUDGETS.markdown : BUDGETS.route;
  report(key, extra.reduce((sum, part) => sum + size(manifest[part].file), 0), budget);
}
if (failures.length > 0) {
  console.error(`\nOver budget:\n${failures.join('\n')}`);
  process.exit(1);
}
