import type { Problem } from '../../../model/problems';

export interface CheckTexts {
  /** By the code of a sentence, with places for its parameters. */
  checks: Record<string, string>;
  /** Why a middleware has to stand where it stands: "caching.after.guard". */
  rules: Record<string, string>;
  /** Kinds of values: "a text". */
  kinds: Record<string, string>;
  tool: Record<string, { summary: string; off?: string }>;
}

/** What a parameter says: most are names and figures, some are words that have their own texts. */
function wordOf(texts: CheckTexts, name: string, params: NonNullable<Problem['params']>): string | undefined {
  if (name === 'why' && params.rule !== undefined) return texts.rules[String(params.rule)];
  if (name === 'off') return texts.tool[String(params.tool)]?.off;
  const value = params[name];
  if (value === undefined) return undefined;
  return name === 'wanted' || name === 'actual' ? (texts.kinds[String(value)] ?? String(value)) : String(value);
}

/** A problem in these words; as the server says it where they have none for it, or for a part of it. */
export function problemIn(texts: CheckTexts, problem: Problem): Problem {
  const template = problem.code ? texts.checks[problem.code] : undefined;
  const params = problem.params ?? {};
  const names = [...(template ?? '').matchAll(/{{(\w+)}}/g)].map((found) => found[1] ?? '');
  if (template === undefined || names.some((name) => wordOf(texts, name, params) === undefined)) return problem;
  return { ...problem, message: template.replace(/{{(\w+)}}/g, (_, name: string) => wordOf(texts, name, params) ?? '') };
}
