/** CSS pixels of the units that a length may have. */
const UNITS: Record<string, number> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  em: 16,
  rem: 16,
  ex: 8,
};
const MAX_SIDE = 1_000_000;

/** The size at which a browser shows the drawing by itself, in whole pixels. */
export function svgSize(attributes: { width?: string; height?: string; viewBox?: string }): {
  width: number;
  height: number;
} {
  const width = length(attributes.width);
  const height = length(attributes.height);
  const box = (attributes.viewBox ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [, , boxWidth = 0, boxHeight = 0] = box;
  const ratio = box.length === 4 && boxWidth > 0 && boxHeight > 0 ? boxWidth / boxHeight : undefined;
  if (width && height) return pixels(width, height);
  if (width) return pixels(width, ratio ? width / ratio : 150);
  if (height) return pixels(ratio ? height * ratio : 300, height);
  return ratio ? pixels(boxWidth, boxHeight) : pixels(300, 150);
}

function length(text: string | undefined): number | undefined {
  const match = /^\s*\+?(\d*\.?\d+(?:e[+-]?\d+)?)\s*([a-z]*)\s*$/i.exec(text ?? '');
  const unit = UNITS[(match?.[2] ?? '-').toLowerCase()];
  const value = Number(match?.[1]) * (unit ?? Number.NaN);
  return Number.isFinite(value) && value > 0 ? value : undefined;
}

function pixels(width: number, height: number): { width: number; height: number } {
  const side = (value: number) => Math.min(MAX_SIDE, Math.max(1, Math.round(value)));
  return { width: side(width), height: side(height) };
}
