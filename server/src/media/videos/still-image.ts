import { EncodedPacketSink, type Input } from 'mediabunny';
import { av1ToAvif } from './av1-to-avif.ts';
import { coverOf, isImageCodec, MAX_STILL_BYTES, type StillImage } from './cover.ts';
import { framePosition } from './frame-position.ts';
import { withVideo } from './read-video.ts';

/**
 * Extracts an image without decoding video: the embedded cover, or a key frame of a codec that is also an image format:
 * VP8 is WebP, AV1 is AVIF.
 */
export async function extractStillImage(path: string, durationSeconds: number | null): Promise<StillImage | undefined> {
  return withVideo(path, async (input) => (await coverOf(input)) ?? (await keyFrameOf(input, durationSeconds)));
}

async function keyFrameOf(input: Input, durationSeconds: number | null): Promise<StillImage | undefined> {
  const track = await input.getPrimaryVideoTrack();
  const codec = await track?.getCodec();
  if (!track || !isImageCodec(codec ?? null)) return undefined;
  const packets = new EncodedPacketSink(track);
  const frame = (await packets.getKeyPacket(framePosition(durationSeconds))) ?? (await packets.getFirstPacket());
  if (frame?.type !== 'key' || frame.data.length > MAX_STILL_BYTES) return undefined;
  const rotation = await track.getRotation();
  if (codec === 'vp8') return { bytes: vp8ToWebp(frame.data), rotation };
  const config = await track.getDecoderConfig().catch(() => null);
  const avif = av1ToAvif(frame.data, config?.codec ?? '', await track.getCodedWidth(), await track.getCodedHeight());
  return avif && { bytes: avif, rotation };
}

/** Wraps a VP8 key frame in WebP's container. */
function vp8ToWebp(frame: Uint8Array): Buffer {
  const riff = Buffer.from('RIFF\0\0\0\0WEBPVP8 \0\0\0\0', 'latin1');
  const padding = frame.length & 1;
  riff.writeUInt32LE(12 + frame.length + padding, 4);
  riff.writeUInt32LE(frame.length, 16);
  return Buffer.concat([riff, frame, Buffer.alloc(padding)]);
}
