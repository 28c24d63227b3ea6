import type { Json, JsonObject } from '../api/types';
import { entriesOf, textOf } from './definition';
import { isObject, sameJson } from './json';

export interface Change {
  /** Dotted; items of lists by what they are called, not by their number. */
  field: string;
  before: Json | undefined;
  after: Json | undefined;
}

/** What an item is known by: a tool by its name, a sub-agent by its slug, a middleware by what it uses. */
const nameOf = (entry: JsonObject): string => textOf(entry.name) || textOf(entry.agent) || textOf(entry.use);

/** Items under names of their own; the second of a name is "name (2)". */
function named(list: Json | undefined): Map<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  for (const entry of entriesOf(list)) {
    const name = nameOf(entry) || '?';
    let key = name;
    for (let count = 2; found.has(key); count += 1) key = `${name} (${count})`;
    found.set(key, entry);
  }
  return found;
}

function changesInList(field: string, before: Json | undefined, after: Json | undefined): Change[] {
  const [old, now] = [named(before), named(after)];
  const keys = [...new Set([...old.keys(), ...now.keys()])];
  const changes = keys.flatMap((key) => changesIn(`${field}.${key}`, old.get(key), now.get(key)));
  const order = (items: Map<string, JsonObject>, others: Map<string, JsonObject>) => [...items.keys()].filter((key) => others.has(key));
  const [was, is] = [order(old, now), order(now, old)];
  return sameJson(was, is) ? changes : [{ field, before: was, after: is }, ...changes];
}

const isNamedList = (value: Json | undefined): boolean => Array.isArray(value) && value.length > 0 && value.every((each) => isObject(each) && nameOf(each) !== '');

function changesIn(field: string, before: Json | undefined, after: Json | undefined): Change[] {
  if (sameJson(before, after)) return [];
  if (isObject(before) && isObject(after)) return changesInside(field, before, after);
  if ([before, after].some(isNamedList) && [before, after].every((each) => each === undefined || Array.isArray(each))) return changesInList(field, before, after);
  return [{ field, before, after }];
}

function changesInside(field: string, before: JsonObject, after: JsonObject): Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => changesIn(field === '' ? name : `${field}.${name}`, before[name], after[name]));
}

/** Nothing said, and nothing there, are the same. */
const isEmpty = (value: Json | undefined): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0) || (isObject(value) && Object.keys(value).length === 0);

/** What differs between two definitions, place by place, in the order in which people write them. */
export const changesOf = (before: JsonObject, after: JsonObject): Change[] =>
  changesInside('', before, after).filter((change) => !(isEmpty(change.before) && isEmpty(change.after)));
