import type { AgentParts, Json, JsonObject } from '../../../api/types';
import { isObject } from '../../../model/json';
import { resolve } from '../../../model/schema-form';

interface Text {
  summary: string;
  off?: string;
  options?: Record<string, string>;
}

/** By kind of part and its name; an option inside of a list's rows by its dotted name, "rules.when". */
export type PartTexts = Record<'strategy' | 'middleware' | 'tool', Record<string, Text>>;

type Part = AgentParts['strategies'][number];

/** A part of somebody else's plug-in may bear the name of a shipped one; its words are its own. */
const isShipped = (source: string): boolean => source.startsWith('plugin:playhead.');

/** A list with the texts of what its rows have; anything else as it is. */
function itemsIn(texts: Record<string, string>, name: string, schema: JsonObject, root: JsonObject): JsonObject {
  if (!isObject(schema.items) || !Object.keys(texts).some((key) => key.startsWith(`${name}.`))) return schema;
  return { ...schema, items: optionsIn(texts, resolve(schema.items, root), root, `${name}.`) };
}

function optionIn(texts: Record<string, string>, name: string, schema: Json, root: JsonObject): Json {
  if (!isObject(schema)) return schema;
  const description = texts[name];
  const said = itemsIn(texts, name, schema, root);
  return description ? { ...said, description } : said;
}

function optionsIn(texts: Record<string, string>, options: JsonObject, root = options, within = ''): JsonObject {
  if (!isObject(options.properties)) return options;
  const properties = Object.entries(options.properties).map(([name, schema]) => [name, optionIn(texts, within + name, schema, root)] as const);
  return { ...options, properties: Object.fromEntries(properties) };
}

function partIn(texts: Record<string, Text>, part: Part): Part {
  const text = isShipped(part.source) ? texts[part.name] : undefined;
  return text ? { ...part, summary: text.summary, options: optionsIn(text.options ?? {}, part.options as JsonObject) } : part;
}

/** The shipped parts in these words; every other one, and what has no text here, as the server says it. */
export function partsIn(texts: PartTexts & { limits: Record<string, string> }, parts: AgentParts): AgentParts {
  return {
    ...parts,
    strategies: parts.strategies.map((part) => partIn(texts.strategy, part)),
    middleware: parts.middleware.map((part) => partIn(texts.middleware, part)),
    tools: parts.tools.map((tool) => {
      const text = isShipped(tool.source) ? texts.tool[tool.name] : undefined;
      return text ? { ...tool, description: text.summary, off: tool.off && (text.off ?? tool.off) } : tool;
    }),
    limits: optionsIn(texts.limits, parts.limits),
  };
}
