import { useEffect } from 'react';
import { plainText } from '../model/hidden-text';

const SIZE = 32;

function drawIcon(count: number): string {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = SIZE;
  const pen = canvas.getContext('2d');
  if (!pen) return '/favicon.svg';
  const style = getComputedStyle(document.documentElement);
  pen.fillStyle = style.getPropertyValue('--status-waiting');
  pen.beginPath();
  pen.roundRect(0, 0, SIZE, SIZE, 8);
  pen.fill();
  pen.fillStyle = style.getPropertyValue('--on-waiting');
  pen.font = `600 ${count > 9 ? 18 : 22}px sans-serif`;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.fillText(count > 99 ? '99' : String(count), SIZE / 2, SIZE / 2 + 1);
  return canvas.toDataURL('image/png');
}

function setIcon(href: string): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (!link) return;
  link.type = href.startsWith('data:') ? 'image/png' : 'image/svg+xml';
  link.href = href;
}

/** "(3) Refund sweep · Playhead", and the same number on the icon of the tab. */
export function useWindowTitle(title: string, waiting: number): void {
  useEffect(() => {
    const name = title ? `${plainText(title)} · Playhead` : 'Playhead';
    document.title = waiting > 0 ? `(${waiting}) ${name}` : name;
  }, [title, waiting]);
  useEffect(() => setIcon(waiting > 0 ? drawIcon(waiting) : '/favicon.svg'), [waiting]);
}
