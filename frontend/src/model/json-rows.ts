import type { Json } from '../api/types';
import { isObject } from './json';

export interface JsonRow {
  /** JSON pointer, also the key of the row. */
  path: string;
  depth: number;
  /** Name in the object or place in the list; null at the root. */
  name: string | null;
  value: Json;
  /** How many children, or null for a leaf. */
  size: number | null;
  open: boolean;
}

/** How many rows a value may have and still be opened whole. */
const SMALL = 200;

const isBranch = (value: Json): value is Json[] | { [key: string]: Json } => Array.isArray(value) || isObject(value);

const childrenOf = (value: Json): [string, Json][] => (isBranch(value) ? Object.entries(value) : []);

const escapePointer = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');

function countUpTo(value: Json, limit: number): number {
  let count = 1;
  for (const [, child] of childrenOf(value)) {
    if (count > limit) break;
    count += countUpTo(child, limit - count);
  }
  return count;
}

/** Whether a branch starts open: all of a small value, the first two levels of a large one. */
export function opensByDefault(root: Json): (depth: number) => boolean {
  return countUpTo(root, SMALL) <= SMALL ? () => true : (depth) => depth < 2;
}

/**
 * The visible lines of a value, flat, so that a list of any length can be virtualised.
 * `toggled` holds the paths whose state differs from the default.
 */
export function jsonRows(root: Json, toggled: ReadonlySet<string>): JsonRow[] {
  const byDefault = opensByDefault(root);
  const rows: JsonRow[] = [];
  const visit = (name: string | null, value: Json, path: string, depth: number) => {
    const children = isBranch(value) ? childrenOf(value) : null;
    const open = children !== null && byDefault(depth) !== toggled.has(path);
    rows.push({ path, depth, name, value, size: children?.length ?? null, open });
    if (!open) return;
    for (const [key, child] of children) visit(key, child, `${path}/${escapePointer(key)}`, depth + 1);
  };
  visit(null, root, '', 0);
  return rows;
}
