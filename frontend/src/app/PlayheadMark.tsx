/** The brand: three tracks and the line that says where we are. */
export function PlayheadMark({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M3 9h18M3 13h18M3 17h18" stroke="var(--line-strong)" strokeWidth="1.5" />
      <path d="M9 2h6l-3 4z" fill="currentColor" />
      <path d="M12 4v18" stroke="currentColor" strokeWidth="2" />
    </svg>
  );
}
