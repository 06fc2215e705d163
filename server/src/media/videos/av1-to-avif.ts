interface Av1Config {
  profile: number;
  level: number;
  isHighTier: boolean;
  depth: number;
  isMonochrome: boolean;
  /** Chroma subsampling, x and y, and the sample position. */
  chroma: [number, number, number];
}

/** Parses a codec string such as `av01.0.04M.08.0.110`. */
function parseCodec(codec: string): Av1Config | undefined {
  const match = /^av01\.(\d)\.(\d{2})([MH])\.(\d{2})(?:\.(\d)\.(\d)(\d)(\d))?/.exec(codec);
  if (!match) return undefined;
  const [, profile, level, tier, depth, mono = '0', x = '1', y = '1', position = '0'] = match;
  return {
    profile: Number(profile),
    level: Number(level),
    isHighTier: tier === 'H',
    depth: Number(depth),
    isMonochrome: mono === '1',
    chroma: [Number(x), Number(y), Number(position)],
  };
}

/**
 * Wraps an AV1 key frame in AVIF's container.
 * @param frame the frame's OBUs, including the sequence header
 * @returns undefined if the codec string is not AV1's
 */
export function av1ToAvif(frame: Uint8Array, codec: string, width: number, height: number): Buffer | undefined {
  const config = parseCodec(codec);
  if (config === undefined) return undefined;
  const { profile, level, isHighTier, depth, isMonochrome, chroma } = config;
  const flags =
    (isHighTier ? 0x80 : 0) |
    (depth > 8 ? 0x40 : 0) |
    (depth === 12 ? 0x20 : 0) |
    (isMonochrome ? 0x10 : 0) |
    (chroma[0] << 3) |
    (chroma[1] << 2) |
    chroma[2];
  const channels = isMonochrome ? 1 : 3;
  const properties = box(
    'ipco',
    fullBox('ispe', [uint32(width), uint32(height)]),
    fullBox('pixi', [Buffer.from([channels, ...Array(channels).fill(depth)])]),
    box('av1C', Buffer.from([0x81, (profile << 5) | level, flags, 0])),
  );
  const header = (frameOffset: number) =>
    Buffer.concat([
      box('ftyp', Buffer.from('avif\0\0\0\0avifmif1miaf', 'latin1')),
      fullBox('meta', [
        fullBox('hdlr', [Buffer.from('\0\0\0\0pict\0\0\0\0\0\0\0\0\0\0\0\0\0', 'latin1')]),
        fullBox('pitm', [Buffer.from([0, 1])]),
        fullBox('iloc', [Buffer.from([0x44, 0, 0, 1, 0, 1, 0, 0, 0, 1]), uint32(frameOffset), uint32(frame.length)]),
        fullBox('iinf', [Buffer.from([0, 1]), fullBox('infe', [Buffer.from('\0\x01\0\0av01\0', 'latin1')], 2)]),
        box('iprp', properties, fullBox('ipma', [Buffer.from([0, 0, 0, 1, 0, 1, 3, 1, 2, 0x83])])),
      ]),
    ]);
  // The frame follows the header and the 8 bytes of its own box.
  return Buffer.concat([header(header(0).length + 8), box('mdat', Buffer.from(frame))]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value, 0);
  return bytes;
}

function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([uint32(body.length + 8), Buffer.from(type, 'latin1'), body]);
}

function fullBox(type: string, content: Buffer[], version = 0): Buffer {
  return box(type, Buffer.from([version, 0, 0, 0]), ...content);
}
