import type { Interrupt } from './types';

/** The body of a refusal, application/problem+json. */
export interface Problem {
  title?: string;
  status?: number;
  code?: string;
  detail?: string;
  errors?: { field: string; message: string }[];
  interrupt?: Interrupt;
}

/** A refusal of the server (problem+json), or no answer at all (`code` "offline", status 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: { field: string; message: string }[];
  /** The interrupt as it stands now, when somebody else decided first (409). */
  readonly interrupt: Interrupt | null;

  constructor(status: number, problem: Problem) {
    super(problem.detail || problem.title || `HTTP ${status}`);
    this.name = 'ApiError';
    this.status = status;
    this.code = problem.code ?? `http_${status}`;
    this.fields = problem.errors ?? [];
    this.interrupt = problem.interrupt ?? null;
  }
}
