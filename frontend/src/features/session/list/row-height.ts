/** The height of a row in pixels, as the tokens have it for this pointer (26, or 44 for fingers). */
export function rowHeight(): number {
  const value = getComputedStyle(document.documentElement).getPropertyValue('--row-height');
  return Number.parseFloat(value) || 26;
}
