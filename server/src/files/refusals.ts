import { type ApiError, badRequest } from '../shared/errors.ts';

/** Why an upload is refused; the codes are part of the API. */
export const unsupportedType = (cause?: unknown): ApiError =>
  badRequest(
    'file_type_unsupported',
    'The file is none of JPEG, PNG, GIF, WebP, AVIF, SVG, MP4, MOV and WebM, whatever its name says.',
    cause,
  );

export const svgRefused = (why: string): ApiError => badRequest('svg_refused', `The SVG is not accepted. ${why}`);

export const corruptFile = (cause?: unknown): ApiError =>
  badRequest('file_corrupt', 'The file is damaged or cut short: it cannot be read to its end.', cause);

export const emptyFile = (): ApiError => badRequest('file_empty', 'The file is empty.');

export const tooLarge = (type: string, limit: number): ApiError =>
  badRequest('file_too_large', `The ${type} is larger than ${limit} bytes; see GET /v1/limits.`);

export const tooManyPixels = (limit: number): ApiError =>
  badRequest('too_many_pixels', `The image has more than ${limit} pixels; see GET /v1/limits.`);
