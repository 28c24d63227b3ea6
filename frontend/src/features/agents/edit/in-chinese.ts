import type { AgentParts, JsonObject } from '../../../api/types';
import { isObject } from '../../../model/json';

interface Text {
  summary: string;
  options?: Record<string, string>;
}

/** By kind of part and its name. */
export type PartTexts = Record<'strategy' | 'middleware' | 'tool', Record<string, Text>>;

type Part = AgentParts['strategies'][number];

/** A part of somebody else's plug-in may bear the name of a shipped one; its words are its own. */
const isShipped = (source: string): boolean => source.startsWith('plugin:playhead.');

function optionsIn(texts: Record<string, string>, options: JsonObject): JsonObject {
  if (!isObject(options.properties)) return options;
  const properties = Object.entries(options.properties).map(([name, schema]) => {
    const description = texts[name];
    return [name, description && isObject(schema) ? { ...schema, description } : schema] as const;
  });
  return { ...options, properties: Object.fromEntries(properties) };
}

function partIn(texts: Record<string, Text>, part: Part): Part {
  const text = isShipped(part.source) ? texts[part.name] : undefined;
  return text ? { ...part, summary: text.summary, options: optionsIn(text.options ?? {}, part.options as JsonObject) } : part;
}

/** The shipped parts in these words; every other one, and what has no text here, as the server says it. */
export function partsIn(texts: PartTexts, parts: AgentParts): AgentParts {
  return {
    ...parts,
    strategies: parts.strategies.map((part) => partIn(texts.strategy, part)),
    middleware: parts.middleware.map((part) => partIn(texts.middleware, part)),
    tools: parts.tools.map((tool) => {
      const text = isShipped(tool.source) ? texts.tool[tool.name] : undefined;
      return text ? { ...tool, description: text.summary } : tool;
    }),
  };
}
