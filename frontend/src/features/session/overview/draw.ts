import type { Bins } from '../../../model/overview';
import { MARKERS, type Marker } from '../../../model/playback';

export interface Palette {
  model: string;
  tool: string;
  context: string;
  line: string;
  markers: Record<Marker, string>;
}

export function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    model: read('--kind-model'),
    tool: read('--kind-tool'),
    context: read('--line-strong'),
    line: read('--line'),
    markers: {
      error: read('--status-failed'),
      interrupt: read('--status-waiting'),
      guard: read('--kind-agent'),
      branch: read('--accent'),
      message: read('--fg-muted'),
    },
  };
}

/** The bands, in CSS pixels from the top. */
const ACTIVITY = { top: 4, height: 20 };
const CONTEXT = { top: 27, height: 10 };
const MARKS = { top: 47, size: 7 };

/** Tools stand on models: together they are the time that the column took. */
function drawActivity(pen: CanvasRenderingContext2D, bins: Bins, step: number, palette: Palette): void {
  const width = Math.max(1, step > 2 ? step - 1 : step);
  const base = ACTIVITY.top + ACTIVITY.height;
  for (let column = 0; column < bins.columns; column += 1) {
    const model = (bins.model[column] ?? 0) * ACTIVITY.height;
    const tool = (bins.tool[column] ?? 0) * ACTIVITY.height;
    const least = (value: number) => (value > 0 ? Math.max(1, value) : 0);
    pen.fillStyle = palette.model;
    pen.fillRect(column * step, base - least(model), width, least(model));
    pen.fillStyle = palette.tool;
    pen.fillRect(column * step, base - model - least(tool), width, least(tool));
  }
}

function drawContext(pen: CanvasRenderingContext2D, bins: Bins, step: number, palette: Palette): void {
  pen.fillStyle = palette.context;
  for (let column = 0; column < bins.columns; column += 1) {
    const share = bins.context[column] ?? Number.NaN;
    if (!Number.isNaN(share)) pen.fillRect(column * step, CONTEXT.top + CONTEXT.height * (1 - share), step, Math.max(1, CONTEXT.height * share));
  }
}

/** Each marker has a shape of its own, so that colour is never the only sign. */
const SHAPES: Record<Marker, (pen: CanvasRenderingContext2D, x: number, y: number, r: number) => void> = {
  error: (pen, x, y, r) => {
    pen.lineWidth = 2;
    pen.beginPath();
    pen.moveTo(x - r, y - r);
    pen.lineTo(x + r, y + r);
    pen.moveTo(x + r, y - r);
    pen.lineTo(x - r, y + r);
    pen.stroke();
  },
  interrupt: (pen, x, y, r) => {
    pen.beginPath();
    pen.moveTo(x, y - r - 1);
    pen.lineTo(x + r + 1, y + r);
    pen.lineTo(x - r - 1, y + r);
    pen.fill();
  },
  guard: (pen, x, y, r) => pen.fillRect(x - r, y - r, r * 2, r * 2),
  branch: (pen, x, y, r) => {
    pen.beginPath();
    pen.moveTo(x, y - r - 1);
    pen.lineTo(x + r + 1, y);
    pen.lineTo(x, y + r + 1);
    pen.lineTo(x - r - 1, y);
    pen.fill();
  },
  message: (pen, x, y, r) => {
    pen.beginPath();
    pen.arc(x, y, r - 0.5, 0, Math.PI * 2);
    pen.fill();
  },
};

/** At most one marker per eight pixels, the worst of them. */
function drawMarkers(pen: CanvasRenderingContext2D, bins: Bins, step: number, palette: Palette): void {
  const cells = Math.max(1, Math.ceil(8 / step));
  for (let start = 0; start < bins.columns; start += cells) {
    let worst = -1;
    for (let column = start; column < Math.min(bins.columns, start + cells); column += 1) {
      const marker = bins.marker[column] ?? -1;
      if (marker >= 0 && (worst < 0 || marker < worst)) worst = marker;
    }
    const marker = MARKERS[worst];
    if (!marker) continue;
    pen.fillStyle = pen.strokeStyle = palette.markers[marker];
    SHAPES[marker](pen, (start + cells / 2) * step, MARKS.top, MARKS.size / 2);
  }
}

/** Draws the three bands: who worked and how long, how large the prompt was, what is worth finding. */
export function drawStrip(canvas: HTMLCanvasElement, bins: Bins, width: number, palette: Palette): void {
  const pen = canvas.getContext('2d');
  if (!pen) return;
  const ratio = window.devicePixelRatio || 1;
  const height = canvas.clientHeight;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  pen.scale(ratio, ratio);
  pen.clearRect(0, 0, width, height);
  pen.fillStyle = palette.line;
  pen.fillRect(0, ACTIVITY.top + ACTIVITY.height, width, 1);
  pen.fillRect(0, CONTEXT.top + CONTEXT.height, width, 1);
  const step = width / bins.columns;
  drawActivity(pen, bins, step, palette);
  drawContext(pen, bins, step, palette);
  drawMarkers(pen, bins, step, palette);
}
