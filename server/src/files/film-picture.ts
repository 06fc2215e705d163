import { EncodedPacketSink, type Input, type InputVideoTrack } from 'mediabunny';
import { avifOf } from './av1-picture.ts';

const MAX_BYTES = 4 * 1_048_576;
/** The first frame of a film is often black. */
const AT_PART = 0.1;
const AT_MOST_SECONDS = 3;

/** A picture of a film as its container has it, for a decoder of pictures. */
export interface FilmPicture {
  base64: string;
  /** A frame, which is to be turned by so many degrees and stretched to the film's size; none of a cover. */
  rotation?: number;
}

/**
 * The picture that a film can be shown by, without a decoder of films: the cover that it brings along, or a key frame of
 * a codec that has a picture format: VP8 is WebP, AV1 is AVIF, MJPEG is JPEG.
 */
export async function filmPicture(
  input: Input,
  track: InputVideoTrack,
  duration: number | null,
): Promise<FilmPicture | undefined> {
  const cover = await coverOf(input);
  if (cover) return { base64: cover };
  const codec = await track.getCodec();
  const config = await track.getDecoderConfig().catch(() => null);
  if (codec !== 'vp8' && codec !== 'av1') return undefined;
  const sink = new EncodedPacketSink(track);
  const at = Math.min((duration ?? 0) * AT_PART, AT_MOST_SECONDS);
  const frame = (await sink.getKeyPacket(at)) ?? (await sink.getFirstPacket());
  if (frame?.type !== 'key' || frame.data.length > MAX_BYTES) return undefined;
  const picture =
    codec === 'vp8'
      ? webpOf(frame.data)
      : avifOf(frame.data, config?.codec ?? '', await track.getCodedWidth(), await track.getCodedHeight());
  return picture && { base64: picture.toString('base64'), rotation: await track.getRotation() };
}

async function coverOf(input: Input): Promise<string | undefined> {
  const { images = [] } = await input.getMetadataTags().catch(() => ({ images: [] }));
  const image = images.find(({ kind }) => kind === 'coverFront') ?? images[0];
  return image && image.data.length <= MAX_BYTES ? Buffer.from(image.data).toString('base64') : undefined;
}

/** A key frame of VP8 as a WebP, which is the same in another container. */
function webpOf(frame: Uint8Array): Buffer {
  const riff = Buffer.from('RIFF\0\0\0\0WEBPVP8 \0\0\0\0', 'latin1');
  const padding = frame.length & 1;
  riff.writeUInt32LE(12 + frame.length + padding, 4);
  riff.writeUInt32LE(frame.length, 16);
  return Buffer.concat([riff, frame, Buffer.alloc(padding)]);
}
