import { type FileHandle, open } from 'node:fs/promises';
import { CustomSource, EncodedPacketSink, Input, type InputVideoTrack, MATROSKA, MP4, QTFF, WEBM } from 'mediabunny';
import { type FilmPicture, filmPicture } from './film-picture.ts';
import type { Media } from './media.ts';
import { isWholeFile } from './whole-file.ts';

/** Beyond what an index or a cluster of a film within the limits takes; a length in a header may claim anything. */
const MAX_READ_BYTES = 128 * 1_048_576;
const CACHE_BYTES = 4 * 1_048_576;
const MAX_SIDE = 1_000_000;

export interface Film extends Media {
  picture?: FilmPicture | undefined;
}

export type FilmReport = Film | 'corrupt' | 'unsupported';

/** Reads a film's container: its type, its size as shown, and whether its parts and the picture's first and last frame are there. */
export async function readFilm(path: string): Promise<FilmReport> {
  const handle = await open(path);
  const { size } = await handle.stat();
  const source = new CustomSource({
    getSize: () => size,
    read: (start, end) => readExactly(handle, start, end),
    maxCacheSize: CACHE_BYTES,
    handleUnhandledError: () => {},
  });
  const input = new Input({ formats: [MP4, QTFF, WEBM, MATROSKA], source });
  try {
    if (!(await isWholeFile(path))) return 'corrupt';
    const format = await input.getFormat();
    if (format === MATROSKA) return 'unsupported';
    const track = await input.getPrimaryVideoTrack();
    if (track === null) return (await input.getTracks()).length > 0 ? 'unsupported' : 'corrupt';
    const [width, height] = [await track.getDisplayWidth(), await track.getDisplayHeight()].map(Math.round);
    if (!isSide(width) || !isSide(height) || !(await hasFrames(track, format !== WEBM))) return 'corrupt';
    const told = await input.getDurationFromMetadata();
    const duration = told !== null && Number.isFinite(told) && told >= 0 ? told : null;
    return {
      mediaType: format === QTFF ? 'video/quicktime' : format.mimeType,
      width,
      height,
      durationSeconds: duration,
      codec: await track.getCodec(),
      animated: false,
      // A film is as good without.
      picture: await filmPicture(input, track, duration).catch(() => undefined),
    };
  } catch {
    // The parser throws errors of all kinds at what it did not expect.
    return 'corrupt';
  } finally {
    input.dispose();
    await handle.close();
  }
}

/** The last frame of an MP4 is found through its index, at no cost; in a WebM without one the whole file would be read. */
async function hasFrames(track: InputVideoTrack, last: boolean): Promise<boolean> {
  const frames = new EncodedPacketSink(track);
  if ((await frames.getFirstPacket()) === null) return false;
  return !last || (await frames.getPacket(Number.POSITIVE_INFINITY)) !== null;
}

function isSide(side: number | undefined): side is number {
  return side !== undefined && side >= 1 && side <= MAX_SIDE;
}

async function readExactly(handle: FileHandle, start: number, end: number): Promise<Uint8Array> {
  if (end - start > MAX_READ_BYTES) throw new Error('a part of the film is larger than it may be');
  const { buffer, bytesRead } = await handle.read(new Uint8Array(end - start), 0, end - start, start);
  return buffer.subarray(0, bytesRead);
}
