import { type Fault, refuse } from '../shared/errors.ts';
import type { AssetRow } from './queries.ts';

export type PictureFormat = 'jpeg' | 'png' | 'webp' | 'avif';
const FORMATS = ['webp', 'avif', 'jpeg', 'png'] as const satisfies PictureFormat[];
const FITS = ['cover', 'contain', 'fill'] as const;
/** Few, as each may be kept for each size. */
const QUALITIES = [40, 50, 60, 70, 75, 80, 85, 90];
const DEFAULT_QUALITY: Record<PictureFormat, number | undefined> = { webp: 75, avif: 50, jpeg: 80, png: undefined };

/** How a picture is to be shown other than it is stored. */
export interface VariantSpec {
  /** Where its source lies. */
  sourceKey: string;
  /** Of the source, as shown. */
  source: { width: number; height: number };
  /** What it is scaled to, and what is cut out of that; as a whole, where it is undefined. */
  width: number;
  height: number;
  crop: { left: number; top: number; width: number; height: number } | undefined;
  format: PictureFormat;
  quality: number | undefined;
  animated: boolean;
}

export interface Wanted {
  /** undefined: the file itself, or its poster as it is stored. */
  spec: VariantSpec | undefined;
  poster: boolean;
  /** What is answered depends on what the client accepts. */
  byAccept: boolean;
  /** A change of the focal point changes the answer. */
  byFocalPoint: boolean;
}

type Query = Record<string, unknown>;

/**
 * Reads what a request wants of a file. Parameters of other names are not looked at: people append them to addresses.
 * @param sizes the widths and heights that may be asked for
 * @throws ApiError 400 with every fault
 */
export function readWanted(query: Query, accept: string, asset: AssetRow, sizes: readonly number[]): Wanted {
  const faults: Fault[] = [];
  const choice = <T extends string | number>(
    name: string,
    code: string,
    allowed: readonly T[],
    read: (text: string) => unknown,
  ) => {
    const text = query[name];
    if (text === undefined) return undefined;
    const value = allowed.find((each) => typeof text === 'string' && each === read(text));
    if (value === undefined) faults.push({ pointer: `?${name}`, code, detail: `must be one of ${allowed.join(', ')}` });
    return value;
  };
  const number = (text: string) => (/^\d{1,5}$/.test(text) ? Number(text) : undefined);
  const w = choice('w', 'variant_size_unlisted', sizes, number);
  const h = choice('h', 'variant_size_unlisted', sizes, number);
  const fit = choice('fit', 'not_allowed', FITS, String);
  const q = choice('q', 'not_allowed', QUALITIES, number);
  const asked = choice('format', 'not_allowed', [...FORMATS, 'auto'] as const, String);
  const poster = choice('poster', 'not_allowed', ['true', 'false'], String) === 'true';
  refuse(faults);

  const byAccept = asked === 'auto';
  const plain = { poster, byAccept: false, byFocalPoint: false, spec: undefined };
  const isPicture = poster || (asset.type === 'image' && asset.media_type !== 'image/svg+xml');
  const asStored = [w, h, q, asked].every((each) => each === undefined);
  // A drawing has every size, a film none but its own.
  if (asStored || !isPicture) return plain;

  const source = poster
    ? { width: asset.poster_width ?? 1, height: asset.poster_height ?? 1 }
    : { width: asset.width, height: asset.height };
  const format = formatOf(poster ? 'image/webp' : asset.media_type, asked, accept);
  const focal = { x: asset.focal_x ?? 0.5, y: asset.focal_y ?? 0.5 };
  const shape = shapeOf(source, w, h, fit ?? 'cover', poster ? { x: 0.5, y: 0.5 } : focal);
  const spec: VariantSpec = {
    sourceKey: (poster ? asset.poster_key : asset.storage_key) ?? '',
    source,
    ...shape,
    format,
    quality: format === 'png' ? undefined : (q ?? DEFAULT_QUALITY[format]),
    animated: asset.animated && format === 'webp',
  };
  return { poster, byAccept, byFocalPoint: shape.crop !== undefined, spec };
}

/** The name under which a variant is kept. */
export function specText({ width, height, crop, format, quality, animated }: VariantSpec): string {
  const cut = crop ? `@${crop.left},${crop.top},${crop.width}x${crop.height}` : '';
  return `${width}x${height}${cut}.${format}${quality ? `.q${quality}` : ''}${animated ? '.animated' : ''}`;
}

function formatOf(mediaType: string, asked: PictureFormat | 'auto' | undefined, accept: string): PictureFormat {
  if (asked !== undefined && asked !== 'auto') return asked;
  if (asked === 'auto') {
    if (accept.includes('image/avif')) return 'avif';
    if (accept.includes('image/webp')) return 'webp';
    return mediaType === 'image/jpeg' || mediaType === 'image/avif' ? 'jpeg' : 'png';
  }
  const own = FORMATS.find((format) => mediaType === `image/${format}`);
  return own ?? 'webp';
}

/**
 * The size of a variant, never larger than its source. `cover` fills width and height and cuts off what is too much,
 * around the focal point; `contain` stays within them; `fill` stretches. With one of them the shape stays.
 */
function shapeOf(
  source: { width: number; height: number },
  w: number | undefined,
  h: number | undefined,
  fit: (typeof FITS)[number],
  focal: { x: number; y: number },
): Pick<VariantSpec, 'width' | 'height' | 'crop'> {
  const side = (value: number) => Math.max(1, Math.round(value));
  const [byWidth, byHeight] = [
    (w ?? Number.POSITIVE_INFINITY) / source.width,
    (h ?? Number.POSITIVE_INFINITY) / source.height,
  ];
  if (w === undefined || h === undefined || fit === 'contain') {
    const scale = Math.min(1, byWidth, byHeight);
    return { width: side(source.width * scale), height: side(source.height * scale), crop: undefined };
  }
  if (fit === 'fill') {
    return { width: Math.min(w, source.width), height: Math.min(h, source.height), crop: undefined };
  }
  // As large as the source allows, in the shape that was asked for.
  const shrink = Math.min(1, source.width / w, source.height / h);
  const [cutWidth, cutHeight] = [side(w * shrink), side(h * shrink)];
  const scale = Math.max(cutWidth / source.width, cutHeight / source.height);
  const width = Math.max(cutWidth, side(source.width * scale));
  const height = Math.max(cutHeight, side(source.height * scale));
  const offset = (all: number, cut: number, at: number) =>
    Math.round(Math.min(all - cut, Math.max(0, all * at - cut / 2)));
  const crop = {
    left: offset(width, cutWidth, focal.x),
    top: offset(height, cutHeight, focal.y),
    width: cutWidth,
    height: cutHeight,
  };
  const isWhole = width === cutWidth && height === cutHeight;
  return { width, height, crop: isWhole ? undefined : crop };
}
