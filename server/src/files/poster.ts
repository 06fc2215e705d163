import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import type { FilmPicture } from './film-picture.ts';
import type { Media } from './media.ts';

const MAX_SIDE = 1280;
const MAX_PIXELS = 50_000_000;
const WITHIN_MS = 20_000;
const MAX_OUTPUT_BYTES = 64 * 1_048_576;

const run = promisify(execFile);

/** Where ffmpeg is installed, undefined where it is not. */
const FFMPEG = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'ffmpeg'))
  .find((path) => existsSync(path));

/**
 * Writes a picture of the film to `to`, as WebP: from what the container holds, else by ffmpeg, where that is installed.
 * @returns whether there is one; a film without is as good
 */
export async function writePoster(
  path: string,
  to: string,
  film: Media,
  found: FilmPicture | undefined,
): Promise<boolean> {
  if (found && (await writePicture(found, film, to))) return true;
  const frame = await byFfmpeg(path, film);
  return frame !== undefined && writePicture(frame, film, to);
}

/** Writes a picture that a decoder of pictures can read, as the film is shown. @returns whether it could be read */
export async function writePicture({ base64, rotation }: FilmPicture, film: Media, to: string): Promise<boolean> {
  const scale = Math.min(1, MAX_SIDE / Math.max(film.width, film.height));
  const side = (pixels: number) => Math.max(1, Math.round(pixels * scale));
  try {
    const picture = sharp(Buffer.from(base64, 'base64'), { limitInputPixels: MAX_PIXELS }).timeout({ seconds: 10 });
    // A cover has a shape of its own; a frame has the film's, once it is turned and its pixels are square.
    const shaped =
      rotation === undefined
        ? picture.autoOrient().resize(MAX_SIDE, MAX_SIDE, { fit: 'inside', withoutEnlargement: true })
        : picture.rotate(rotation).resize(side(film.width), side(film.height), { fit: 'fill' });
    await shaped.webp({ quality: 80 }).toFile(to);
    return true;
  } catch {
    return false;
  }
}

/** One frame. The file is read as what it is known to be, and nothing else is: no other file, no network. */
async function byFfmpeg(path: string, { mediaType, durationSeconds }: Media): Promise<FilmPicture | undefined> {
  if (FFMPEG === undefined) return undefined;
  const format = mediaType === 'video/webm' ? 'matroska' : 'mov';
  const at = Math.min((durationSeconds ?? 0) / 10, 3);
  const args = [
    ...['-v', 'error', '-nostdin', '-threads', '1', '-max_alloc', '268435456', '-protocol_whitelist', 'file,pipe'],
    ...['-f', format, '-ss', at.toFixed(3), '-i', `file:${path}`],
    ...['-frames:v', '1', '-map', '0:v:0', '-an', '-f', 'image2pipe', '-c:v', 'png', 'pipe:1'],
  ];
  try {
    const { stdout } = await run(FFMPEG, args, {
      encoding: 'buffer',
      timeout: WITHIN_MS,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_OUTPUT_BYTES,
      env: {},
    });
    // It has turned the frame already.
    return { base64: stdout.toString('base64'), rotation: 0 };
  } catch {
    return undefined;
  }
}
