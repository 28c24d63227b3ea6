import type { Json, JsonObject } from '../api/types';
import { isObject } from './json';

/** Where a value stands in an agent's definition: names of members, numbers of items. */
export type Path = readonly (string | number)[];

/** "tools.0.name", the way problems name a field. */
export const fieldOf = (path: Path): string => path.join('.');

function childOf(value: Json | undefined, key: string | number): Json | undefined {
  if (Array.isArray(value)) return typeof key === 'number' ? value[key] : undefined;
  return isObject(value) ? value[String(key)] : undefined;
}

export const valueAt = (root: Json | undefined, path: Path): Json | undefined => path.reduce<Json | undefined>(childOf, root);

function put(value: Json | undefined, [key, ...rest]: Path, next: Json | undefined): Json | undefined {
  if (key === undefined) return next;
  if (typeof key === 'number') {
    const items = Array.isArray(value) ? [...value] : [];
    const made = put(items[key], rest, next);
    if (made === undefined) items.splice(key, 1);
    else items[key] = made;
    return items;
  }
  const members = isObject(value) ? { ...value } : {};
  const made = put(members[key], rest, next);
  if (made === undefined) delete members[key];
  else members[key] = made;
  return members;
}

/** The same definition with another value in one place; `undefined` takes the member or the item away. */
export const withValue = (root: JsonObject, path: Path, next: Json | undefined): JsonObject => put(root, path, next) as JsonObject;

/** A list with one item in another place. */
export function moved<T>(items: readonly T[], from: number, to: number): T[] {
  const item = items[from];
  if (item === undefined || to < 0 || to >= items.length) return [...items];
  const others = items.filter((_, index) => index !== from);
  return [...others.slice(0, to), item, ...others.slice(to)];
}

/** The items of a list of objects; what is no object is left where it is, as an empty one. */
export function entriesOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.map((each) => (isObject(each) ? each : {})) : [];
}

export const textOf = (value: Json | undefined): string => (value === undefined || value === null || typeof value === 'object' ? '' : String(value));

/** What a new agent begins with. */
export const starter = (model: string, strategy: string): JsonObject => ({
  slug: '',
  name: '',
  description: '',
  model,
  instructions: '',
  strategy,
  tools: [],
  middleware: [],
  limits: {},
  samples: [],
});

/** "Refund desk (EU)" → "refund-desk-eu": what a slug may hold. */
export const slugFrom = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);

/** A slug for a copy that none of the taken ones has. */
export function copySlug(slug: string, taken: readonly string[]): string {
  const names = [`${slug}-copy`, ...Array.from({ length: taken.length + 1 }, (_, index) => `${slug}-copy-${index + 2}`)];
  return names.find((name) => !taken.includes(name)) ?? `${slug}-copy`;
}
