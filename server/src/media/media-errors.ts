import { type ApiError, badRequest } from '../shared/errors.ts';

/** Reasons to refuse a file; the codes are part of the API. */
export const unsupportedType = (
  cause?: unknown,
  detail = 'The file type is not supported. Upload a JPEG, PNG, GIF, WebP, AVIF, SVG, MP4, MOV or WebM file.',
): ApiError => badRequest('file_type_unsupported', detail, cause);

export const svgRefused = (reason: string): ApiError => badRequest('svg_refused', `The SVG is not accepted. ${reason}`);

export const corruptFile = (
  cause?: unknown,
  detail = 'The file is damaged or incomplete and cannot be read.',
): ApiError => badRequest('file_corrupt', detail, cause);

/** Of a file that may well be whole. */
export const tooComplex = (cause?: unknown): ApiError =>
  corruptFile(cause, 'Reading the file takes more memory or time than is allowed.');

export const emptyFile = (): ApiError => badRequest('file_empty', 'The file is empty.');

export const tooLarge = (type: string, limit: number): ApiError =>
  badRequest('file_too_large', `The ${type} exceeds ${limit} bytes. GET /v1/limits lists the limits.`);

export const tooManyPixels = (limit: number): ApiError =>
  badRequest('too_many_pixels', `The image exceeds ${limit} pixels. GET /v1/limits lists the limits.`);

/** Whether the disk failed, or a permission is missing, which is not the file's fault: that is a 500 and never a 400. */
export function isSystemError(error: unknown): boolean {
  const { syscall, code, message = '' } = error as { syscall?: string; code?: string; message?: string };
  // libvips has no error codes.
  return (
    syscall !== undefined ||
    code === 'ERR_ACCESS_DENIED' ||
    /^Input file is missing|(?:system|unix) error/.test(message)
  );
}
