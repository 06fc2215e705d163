import { AVIF_DECODED_PIXELS, decodedBytes, type ImageFormat, type ResizeSpec } from '../../media/index.ts';
import { type Fault, refuse } from '../../shared/errors.ts';
import type { AssetRow } from '../library/queries.ts';

const FORMATS = ['webp', 'avif', 'jpeg', 'png'] as const satisfies ImageFormat[];
const FITS = ['cover', 'contain', 'fill'] as const;
/** Few, because each may be cached for every size. */
const QUALITIES = [40, 50, 60, 70, 75, 80, 85, 90];
/** The longest side that each format, or its encoder, can have. */
const MAX_SIDE: Record<ImageFormat, number> = { webp: 16_383, avif: 16_384, jpeg: 65_500, png: 2 ** 31 - 1 };
const DEFAULT_QUALITY: Record<ImageFormat, number | undefined> = { webp: 75, avif: 50, jpeg: 80, png: undefined };

/** How an image is to be resized and encoded. */
export interface VariantSpec extends ResizeSpec {
  /** The blob of the source image. */
  sourceKey: string;
  /** The memory that decoding the source takes. */
  decodedBytes: number;
}

export interface VariantRequest {
  /** undefined: the file itself, or its poster, as stored. */
  spec: VariantSpec | undefined;
  poster: boolean;
  /** Whether the response depends on the Accept header. */
  dependsOnAccept: boolean;
  /** Whether moving the focal point changes the response. */
  dependsOnFocalPoint: boolean;
}

/**
 * Parses the query of a file's URL. Unknown parameters are ignored, as tools append their own to URLs.
 * @param sizes the allowed widths and heights
 * @throws ApiError 400 with every fault
 */
export function parseVariantQuery(
  query: Record<string, unknown>,
  accept: string,
  asset: AssetRow,
  sizes: readonly number[],
): VariantRequest {
  const faults: Fault[] = [];
  const choice = <T extends string | number>(
    name: string,
    code: string,
    allowed: readonly T[],
    parse: (text: string) => unknown,
  ) => {
    const text = query[name];
    if (text === undefined) return undefined;
    const value = allowed.find((each) => typeof text === 'string' && each === parse(text));
    if (value === undefined) {
      faults.push({ pointer: `?${name}`, code, detail: `"${name}" must be one of ${allowed.join(', ')}.` });
    }
    return value;
  };
  const number = (text: string) => (/^\d{1,5}$/.test(text) ? Number(text) : undefined);
  const w = choice('w', 'variant_size_unlisted', sizes, number);
  const h = choice('h', 'variant_size_unlisted', sizes, number);
  const fit = choice('fit', 'not_allowed', FITS, String);
  const q = choice('q', 'not_allowed', QUALITIES, number);
  const requested = choice('format', 'not_allowed', [...FORMATS, 'auto'] as const, String);
  const poster = choice('poster', 'not_allowed', ['true', 'false'], String) === 'true';
  refuse(faults);

  const isUnchanged = [w, h, q, requested].every((each) => each === undefined);
  const source = poster ? posterOf(asset) : imageOf(asset);
  if (isUnchanged || !source) {
    return { poster, dependsOnAccept: false, dependsOnFocalPoint: false, spec: undefined };
  }
  const shape = shapeOf(source, w, h, fit ?? 'cover');
  const format = formatOf(source, requested, accept, Math.max(shape.width, shape.height));
  const response = { poster, dependsOnAccept: requested === 'auto', dependsOnFocalPoint: shape.crop !== undefined };
  if (format === undefined) return { ...response, dependsOnFocalPoint: false, spec: undefined };
  const spec: VariantSpec = {
    sourceKey: source.key,
    decodedBytes: decodedBytes(source),
    ...shape,
    format,
    quality: format === 'png' ? undefined : (q ?? DEFAULT_QUALITY[format]),
    animated: source.animated && format === 'webp',
  };
  return { ...response, spec };
}

interface Source {
  key: string;
  mediaType: string;
  width: number;
  height: number;
  animated: boolean;
  focalPoint: { x: number; y: number };
}

function posterOf({ poster_key, poster_width, poster_height }: AssetRow): Source {
  const size = { width: poster_width ?? 1, height: poster_height ?? 1 };
  return { key: poster_key ?? '', mediaType: 'image/webp', ...size, animated: false, focalPoint: { x: 0.5, y: 0.5 } };
}

/** undefined for what is only served as stored: SVG, which has every size, videos, and AVIF too large to be decoded. */
function imageOf(asset: AssetRow): Source | undefined {
  const { type, media_type: mediaType, width, height, animated } = asset;
  if (type !== 'image' || mediaType === 'image/svg+xml' || width === null || height === null) return undefined;
  if (mediaType === 'image/avif' && width * height > AVIF_DECODED_PIXELS) return undefined;
  const focalPoint = { x: asset.focal_x ?? 0.5, y: asset.focal_y ?? 0.5 };
  return { key: asset.storage_key, mediaType, width, height, animated, focalPoint };
}

/** The key under which a variant is cached. */
export function serializeSpec({ width, height, crop, format, quality, animated }: VariantSpec): string {
  const cut = crop ? `@${crop.left},${crop.top},${crop.width}x${crop.height}` : '';
  return `${width}x${height}${cut}.${format}${quality ? `.q${quality}` : ''}${animated ? '.frames' : ''}`;
}

/** The format of a variant, which can have its size; undefined: the file as stored. */
function formatOf(
  { mediaType, animated }: Source,
  requested: ImageFormat | 'auto' | undefined,
  accept: string,
  longestSide: number,
): ImageFormat | undefined {
  const fits = (format: ImageFormat) => longestSide <= MAX_SIDE[format];
  // Only who asks for a format of stills gets the first frame.
  const isStill = requested === 'jpeg' || (requested === 'png' && mediaType !== 'image/png');
  if (animated && !isStill) {
    const canBeWebp = ['image/gif', 'image/webp'].includes(mediaType) && fits('webp');
    return canBeWebp && (requested !== 'auto' || accept.includes('image/webp')) ? 'webp' : undefined;
  }
  const accepted = (['avif', 'webp'] as const).filter((format) => accept.includes(`image/${format}`));
  const own = FORMATS.find((format) => mediaType === `image/${format}`);
  const wanted = requested === 'auto' ? accepted : [requested ?? own ?? 'webp'];
  const isOpaque = mediaType === 'image/jpeg' || (requested === 'auto' && mediaType === 'image/avif');
  return [...wanted, ...(isOpaque ? (['jpeg'] as const) : [])].find(fits) ?? 'png';
}

/**
 * The size of a variant, never larger than its source. `cover` fills width and height and crops the rest around the focal
 * point; `contain` fits within them; `fill` stretches. With only one of them, the aspect ratio stays.
 */
function shapeOf(
  source: Source,
  w: number | undefined,
  h: number | undefined,
  fit: (typeof FITS)[number],
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
  // As large as the source allows, in the requested shape.
  const shrink = Math.min(1, source.width / w, source.height / h);
  const [cutWidth, cutHeight] = [side(w * shrink), side(h * shrink)];
  const scale = Math.max(cutWidth / source.width, cutHeight / source.height);
  const width = Math.max(cutWidth, side(source.width * scale));
  const height = Math.max(cutHeight, side(source.height * scale));
  const offset = (all: number, cut: number, at: number) =>
    Math.round(Math.min(all - cut, Math.max(0, all * at - cut / 2)));
  const crop = {
    left: offset(width, cutWidth, source.focalPoint.x),
    top: offset(height, cutHeight, source.focalPoint.y),
    width: cutWidth,
    height: cutHeight,
  };
  const isWhole = width === cutWidth && height === cutHeight;
  return { width, height, crop: isWhole ? undefined : crop };
}
