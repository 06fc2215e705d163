import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { MediaInfo } from '../media-info.ts';
import type { StillImage } from './cover.ts';
import { framePosition } from './frame-position.ts';

const TIMEOUT_MS = 20_000;
const MAX_OUTPUT_BYTES = 64 * 1_048_576;

const run = promisify(execFile);

/** The path of ffmpeg, or undefined if it is not installed. */
const FFMPEG = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'ffmpeg'))
  .find((path) => existsSync(path));

export const canGrabFrames = FFMPEG !== undefined;

/**
 * Decodes one frame with ffmpeg, if it is installed. ffmpeg reads the file as the container it is known to be, and
 * neither other files nor the network.
 */
export async function grabFrame(
  path: string,
  { mediaType, durationSeconds }: Pick<MediaInfo, 'mediaType' | 'durationSeconds'>,
): Promise<StillImage | undefined> {
  if (FFMPEG === undefined) return undefined;
  const format = mediaType === 'video/webm' ? 'matroska' : 'mov';
  const args = [
    ...['-v', 'error', '-nostdin', '-threads', '1', '-max_alloc', '268435456', '-protocol_whitelist', 'file,pipe'],
    ...['-f', format, '-ss', framePosition(durationSeconds).toFixed(3), '-i', `file:${path}`],
    ...['-frames:v', '1', '-map', '0:v:0', '-an', '-f', 'image2pipe', '-c:v', 'png', 'pipe:1'],
  ];
  try {
    const running = run(FFMPEG, args, {
      encoding: 'buffer',
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_OUTPUT_BYTES,
      env: {},
    });
    // It decodes for a quarter of a second, in which requests come first.
    if (running.child.pid !== undefined) setPriority(running.child.pid, constants.priority.PRIORITY_LOW);
    const { stdout } = await running;
    // ffmpeg applies the rotation itself.
    return { bytes: stdout, rotation: 0 };
  } catch {
    return undefined;
  }
}
