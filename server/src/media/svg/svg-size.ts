/** CSS pixels per unit of length. */
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
/** Longer lengths are ignored: matching a number takes quadratic time. */
const MAX_CHARACTERS = 200;

/** The size at which a browser displays the image on its own, in whole pixels. */
export function svgSize(attributes: { width?: string; height?: string; viewBox?: string }): {
  width: number;
  height: number;
} {
  const width = length(attributes.width);
  const height = length(attributes.height);
  const box = (attributes.viewBox ?? '')
    .slice(0, MAX_CHARACTERS)
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
  if (text === undefined || text.length > MAX_CHARACTERS) return undefined;
  const match = /^\s*\+?(\d*\.?\d+(?:e[+-]?\d+)?)\s*([a-z]*)\s*$/i.exec(text);
  const unit = UNITS[(match?.[2] ?? '-').toLowerCase()];
  const value = Number(match?.[1]) * (unit ?? Number.NaN);
  return Number.isFinite(value) && value > 0 ? value : undefined;
}

function pixels(width: number, height: number): { width: number; height: number } {
  const side = (value: number) => Math.min(MAX_SIDE, Math.max(1, Math.round(value)));
  return { width: side(width), height: side(height) };
}
