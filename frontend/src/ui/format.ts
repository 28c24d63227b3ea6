import { currentLanguage } from '../i18n';

/** Formatters are dear to make and are asked for in every row: each is made once per language. */
function cached<T>(make: (language: string) => T): () => T {
  const made = new Map<string, T>();
  return () => {
    const language = currentLanguage();
    const known = made.get(language) ?? make(language);
    made.set(language, known);
    return known;
  };
}

const money = (digits: number) => (language: string) =>
  new Intl.NumberFormat(language, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 2,
    maximumFractionDigits: digits,
  });

const counts = cached((language) => new Intl.NumberFormat(language));
const shorts = cached((language) => new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }));
const dollars = cached(money(2));
const fractions = cached(money(4));
const relatives = cached((language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'narrow' }));

/** "—": a value that is not known is never shown as 0. */
export const UNKNOWN = '—';

/** A length of time in milliseconds, as an instrument shows it: "340 ms", "6.2 s", "48:12", "3 h 05 m". */
export function formatDuration(ms: number | null): string {
  if (ms === null) return UNKNOWN;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 3_600_000) return formatClock(ms);
  const minutes = Math.floor(ms / 60_000);
  const [hours, rest] = [Math.floor(minutes / 60), String(minutes % 60).padStart(2, '0')];
  return currentLanguage() === 'zh-CN' ? `${hours} 小时 ${rest} 分` : `${hours} h ${rest} m`;
}

/** A position in time as mm:ss, with hours in front when there are any. */
export function formatClock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const pad = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const rest = `${pad(Math.floor((seconds % 3600) / 60))}:${pad(seconds % 60)}`;
  return hours > 0 ? `${pad(hours)}:${rest}` : rest;
}

/** A mark of a time axis, from its beginning: "250 ms", "2.5 s", "31 s", "12:30". */
export function formatTick(ms: number): string {
  if (ms >= 60_000) return formatClock(ms);
  if (ms % 1000 === 0) return `${ms / 1000} s`;
  return ms < 1000 ? `${ms} ms` : `${ms / 1000} s`;
}

export function formatCount(value: number | null): string {
  return value === null ? UNKNOWN : counts().format(value);
}

/** A count for a narrow place: from a million on "1.5M". */
export function formatShort(value: number): string {
  return value < 1_000_000 ? counts().format(value) : shorts().format(value);
}

/** Money in US dollars from a decimal string; small amounts keep the digits that say something. */
export function formatMoney(amount: string | null): string {
  if (amount === null) return UNKNOWN;
  const value = Number(amount);
  const small = value !== 0 && Math.abs(value) < 0.1;
  return (small ? fractions() : dollars()).format(value);
}

/** "2026-11-30 10:22:31.102 UTC". */
export function formatUtc(iso: string): string {
  return `${new Date(iso).toISOString().replace('T', ' ').replace('Z', '')} UTC`;
}

/** "10:22:31 UTC". */
export function formatTimeOfDay(iso: string): string {
  return `${new Date(iso).toISOString().slice(11, 19)} UTC`;
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

/** The page's clock ticks this often: what has just happened may seem to lie this far ahead. */
const TICK_S = 10;

/** "4 minutes ago", "in 2 hours"; `now` in milliseconds since 1970. */
export function formatRelative(iso: string, now: number): string {
  const ahead = Math.round((Date.parse(iso) - now) / 1000);
  const seconds = ahead > 0 && ahead <= TICK_S ? 0 : ahead;
  const [unit, size] = STEPS.find(([, step]) => Math.abs(seconds) >= step) ?? ['second', 1];
  return relatives().format(Math.trunc(seconds / size), unit);
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${kilobytes.toFixed(1)} kB` : `${(kilobytes / 1024).toFixed(1)} MB`;
}
