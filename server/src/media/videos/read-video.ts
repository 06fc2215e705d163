import { open } from 'node:fs/promises';
import {
  CustomSource,
  EncodedPacketSink,
  Input,
  type InputVideoTrack,
  Logging,
  LogLevel,
  MATROSKA,
  MP4,
  QTFF,
  QuickTimeInputFormat,
  WEBM,
} from 'mediabunny';
import { ApiError } from '../../shared/errors.ts';
import { isComplete } from '../containers/is-complete.ts';
import { isOldQuickTime } from '../detect-type.ts';
import { corruptFile, isSystemError, tooComplex, unsupportedType } from '../media-errors.ts';
import type { MediaInfo } from '../media-info.ts';
import { coverOf, isImageCodec } from './cover.ts';

/** More than the index or a cluster of a video within the limits takes. A length in a header may claim anything. */
const MAX_READ_BYTES = 128 * 1_048_576;
const CACHE_BYTES = 4 * 1_048_576;
const MAX_SIDE = 1_000_000;

Logging.level = LogLevel.Silent;

export interface VideoInfo extends MediaInfo {
  /** Whether a poster can be made without decoding video. */
  hasStillImage: boolean;
}

/** For QuickTime without brands, which the library parses but does not recognize. */
class OldQuickTime extends QuickTimeInputFormat {
  async _canReadInput(): Promise<boolean> {
    return true;
  }
}

/** Opens a video's container for `work`, and closes it afterwards. */
export async function withVideo<T>(path: string, work: (input: Input) => Promise<T>): Promise<T> {
  const handle = await open(path);
  const { size } = await handle.stat();
  const source = new CustomSource({
    getSize: () => size,
    read: async (start, end) => {
      if (end - start > MAX_READ_BYTES) throw tooComplex();
      const { buffer, bytesRead } = await handle.read(new Uint8Array(end - start), 0, end - start, start);
      return buffer.subarray(0, bytesRead);
    },
    maxCacheSize: CACHE_BYTES,
    handleUnhandledError: () => {},
  });
  const { buffer: head, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0);
  const isOld = isOldQuickTime(head.subarray(0, bytesRead));
  const input = new Input({ formats: isOld ? [new OldQuickTime()] : [MP4, QTFF, WEBM, MATROSKA], source });
  try {
    return await work(input);
  } finally {
    input.dispose();
    await handle.close();
  }
}

/**
 * Reads a video's type and displayed size from its container, and checks that it is complete: that its elements, and the
 * first and last frame, are there.
 * @throws ApiError 400 `file_corrupt`, `file_type_unsupported`
 */
export async function readVideo(path: string): Promise<VideoInfo> {
  try {
    if (!(await isComplete(path))) throw corruptFile();
    return await withVideo(path, readContainer);
  } catch (error) {
    // The parser throws errors of all classes at unexpected input.
    throw error instanceof ApiError || isSystemError(error) ? error : corruptFile(error);
  }
}

async function readContainer(input: Input): Promise<VideoInfo> {
  const format = await input.getFormat();
  if (format === MATROSKA) throw unsupportedType();
  const track = await input.getPrimaryVideoTrack();
  if (track === null) throw (await input.getTracks()).length > 0 ? unsupportedType() : corruptFile();
  const [width, height] = [await track.getDisplayWidth(), await track.getDisplayHeight()].map(Math.round);
  if (!isSide(width) || !isSide(height) || !(await hasFrames(track, format !== WEBM))) throw corruptFile();
  const duration = await input.getDurationFromMetadata();
  const codec = await track.getCodec();
  return {
    mediaType: format instanceof QuickTimeInputFormat ? 'video/quicktime' : format.mimeType,
    width,
    height,
    durationSeconds: duration !== null && Number.isFinite(duration) && duration >= 0 ? duration : null,
    codec,
    animated: false,
    hasStillImage: isImageCodec(codec) || (await coverOf(input)) !== undefined,
  };
}

/** MP4's index locates the last frame at no cost; finding it in a WebM without an index would read the whole file. */
async function hasFrames(track: InputVideoTrack, hasIndex: boolean): Promise<boolean> {
  const frames = new EncodedPacketSink(track);
  if ((await frames.getFirstPacket()) === null) return false;
  return !hasIndex || (await frames.getPacket(Number.POSITIVE_INFINITY)) !== null;
}

function isSide(side: number | undefined): side is number {
  return side !== undefined && side >= 1 && side <= MAX_SIDE;
}
