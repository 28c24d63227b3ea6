import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = resolve(import.meta.dirname, '..');

/** What each part may import from. Features never know each other: `app` composes them. */
const ALLOWED: Record<string, string[]> = {
  i18n: [],
  api: ['model'],
  model: [],
  live: ['api', 'model'],
  ui: ['api', 'i18n', 'model'],
  features: ['api', 'i18n', 'live', 'model', 'ui'],
  app: ['api', 'features', 'i18n', 'live', 'model', 'ui'],
};
/** The pure model knows the wire shapes, and nothing of them but their types. */
const TYPE_ONLY: Record<string, string[]> = { model: ['api'] };

interface Import {
  file: string;
  target: string;
  typeOnly: boolean;
}

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

function importsOf(file: string, text: string): Import[] {
  const found = text.matchAll(/(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'"]*?from\s+)?['"](\.[^'"]+)['"]|import\(\s*['"](\.[^'"]+)['"]/g);
  return [...found].map(([, type, named, lazy]) => ({
    file: relative(SRC, file),
    target: relative(SRC, resolve(dirname(file), named ?? lazy ?? '')),
    typeOnly: type !== undefined,
  }));
}

const part = (path: string) => path.split('/')[0] ?? '';
const feature = (path: string) => path.split('/')[1] ?? '';

/** The reason why an import is not allowed, or null. */
function fault({ file, target, typeOnly }: Import): string | null {
  const [from, to] = [part(file), part(target)];
  if (!(from in ALLOWED)) return null;
  if (from === to) {
    const strangers = from === 'features' && feature(file) !== feature(target);
    return strangers ? `${file} imports another feature: ${target}` : null;
  }
  if (ALLOWED[from]?.includes(to) || (typeOnly && TYPE_ONLY[from]?.includes(to))) return null;
  return `${file} imports ${target}`;
}

describe('the direction of imports', () => {
  it('is ui|model|api|live → features → app', () => {
    const faults = sources(SRC).flatMap((file) => importsOf(file, readFileSync(file, 'utf8')).map(fault));
    expect(faults.filter((each) => each !== null)).toEqual([]);
  });

  it.each([
    ['features/a/X.tsx', "import { Y } from '../b/Y';"],
    ['ui/X.tsx', "import { Y } from '../features/a/Y';"],
    ['model/x.ts', "import { call } from '../api/client';"],
    ['api/x.ts', "const y = await import('../live/workspace');"],
  ])('is enforced: %s may not say %s', (file, text) => {
    expect(importsOf(join(SRC, file), text).map(fault)).toEqual([expect.stringContaining(file)]);
  });

  it('keeps React out of the model', () => {
    const withReact = sources(join(SRC, 'model')).filter((file) => /from 'react/.test(readFileSync(file, 'utf8')));
    expect(withReact).toEqual([]);
  });
});
