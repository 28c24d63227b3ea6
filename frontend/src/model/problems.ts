/** What is wrong with one place of a definition; `line` when it was read from text. */
export interface Problem {
  field: string;
  message: string;
  line?: number | null;
  /** A stable word for what the message says, and what stands in it. */
  code?: string | null;
  params?: Readonly<Record<string, string | number>>;
}

const below = (field: string, place: string): boolean => field === place || field.startsWith(`${place}.`);

/** What is said about a place and everything in it. */
export const problemsIn = (problems: readonly Problem[], place: string): Problem[] => problems.filter(({ field }) => below(field, place));

/** What is said about a row itself: about nothing that has a field of its own in it. */
export function problemsOfRow(problems: readonly Problem[], row: string, fields: readonly string[]): Problem[] {
  return problemsIn(problems, row).filter(({ field }) => !fields.some((name) => below(field, `${row}.${name}`)));
}

/** One sentence for a field, or null. */
export const messageIn = (problems: readonly Problem[], place: string): string | null =>
  problemsIn(problems, place)
    .map(({ message }) => message)
    .join(' ') || null;

/** The place itself, then what it stands in, up to the first name. */
export function placesFrom(field: string): string[] {
  const parts = field.split('.');
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('.'));
}
