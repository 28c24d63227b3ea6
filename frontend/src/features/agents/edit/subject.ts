import type { JsonObject } from '../../../api/types';

/** What is edited: a version of an agent, or an agent that is not there yet. */
export interface Subject {
  /** null: it has no slug that counts yet. */
  slug: string | null;
  name: string;
  /** The version that the draft begins with. */
  base: number | null;
  newest: number | null;
  published: number | null;
  original: JsonObject;
  /** The agent that a new one is a copy of, by name. */
  copied: string;
  /** Under which name the draft is kept in this browser. */
  key: string;
}
