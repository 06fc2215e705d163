/** What a file is and how large, in workers that hostile input cannot leave. */
export { DETECT_BYTES, type DetectedType, detectType, guessVideoType } from './detect-type.ts';
export type { ImageFormat, ResizeSpec } from './images/resize-image.ts';
export { AVIF_DECODED_PIXELS, decodedBytes } from './limits.ts';
export * from './media-errors.ts';
export type { MediaInfo } from './media-info.ts';
export { MediaService } from './media-service.ts';
export type { InspectedMedia } from './worker/inspect-media.ts';
