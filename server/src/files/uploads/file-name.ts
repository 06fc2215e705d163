import mime from 'mime';
import { LIMITS } from '../limits.ts';

/** Control characters, and those that reverse the text direction (`gpj.exe` displayed as `exe.jpg`). */
const INVISIBLE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * Makes a file name safe to store and display: without folders, control characters, and leading or trailing dots and
 * spaces, cut to 200 characters with its extension. Empty if nothing is left.
 */
export function cleanName(original: string): string {
  const last = original.slice(Math.max(original.lastIndexOf('/'), original.lastIndexOf('\\')) + 1);
  const name = shortened(last)
    .toWellFormed()
    .normalize('NFC')
    .replace(INVISIBLE, '')
    .trim()
    .replace(/^\.+|[. ]+$/g, '')
    .trim();
  const characters = [...name];
  if (characters.length <= LIMITS.nameLength) return name;
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? '';
  return characters.slice(0, LIMITS.nameLength - extension.length).join('') + extension;
}

/** The start and the end of a long name: normalizing and trimming it takes time in the square of its length. */
function shortened(name: string): string {
  return name.length <= 8 * LIMITS.nameLength
    ? name
    : name.slice(0, 7 * LIMITS.nameLength) + name.slice(-LIMITS.nameLength);
}

const EXTENSIONS: Record<string, string[]> = {
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/png': ['png'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'image/avif': ['avif'],
  'image/svg+xml': ['svg'],
  'video/mp4': ['mp4', 'm4v'],
  'video/quicktime': ['mov', 'qt'],
  'video/webm': ['webm'],
};

/** Types that a browser may run or apply where another page of this host refers to them. */
const ACTIVE = /html|xml|script|^text\/(?:css|cache-manifest|vbscript)|wasm|flash|^(?:multipart|message)\//;

/** The media type of a file by its name; `application/octet-stream` for what is unknown or must never be run. */
export function mediaTypeOf(name: string): string {
  const mediaType = mime.getType(name) ?? '';
  // TypeScript has the extension of MPEG transport streams.
  if (/\.[cm]?ts$/i.test(name)) return 'text/plain';
  return mediaType === '' || ACTIVE.test(mediaType) ? 'application/octet-stream' : mediaType;
}

/** The name to serve a file under: with an extension that matches its type, if that is an image or a video. */
export function servedName(name: string, mediaType: string): string {
  const extensions = EXTENSIONS[mediaType];
  if (!extensions) return name;
  const extension = /\.([A-Za-z0-9]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return extensions.includes(extension) ? name : `${name}.${extensions[0]}`;
}

/** The name of a file whose type changes: a known extension is replaced. */
export function renamedFor(name: string, mediaType: string): string {
  if (servedName(name, mediaType) === name) return name;
  const extension = /\.([A-Za-z0-9]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const isKnown = Object.values(EXTENSIONS).some((each) => each.includes(extension));
  return servedName(isKnown ? name.slice(0, -extension.length - 1) : name, mediaType);
}
