/** What a decoder is told of an AV1 stream before its first frame, as its codec string says it: `av01.0.04M.08.0.110…` */
function configuration(codec: string): Buffer | undefined {
  const match = /^av01\.(\d)\.(\d{2})([MH])\.(\d{2})(?:\.(\d)\.(\d)(\d)(\d))?/.exec(codec);
  if (!match) return undefined;
  const [, profile, level, tier, depth, mono = '0', x = '1', y = '1', position = '0'] = match;
  const flags =
    (tier === 'H' ? 0x80 : 0) |
    (Number(depth) > 8 ? 0x40 : 0) |
    (Number(depth) === 12 ? 0x20 : 0) |
    (Number(mono) << 4) |
    (Number(x) << 3) |
    (Number(y) << 2) |
    Number(position);
  return Buffer.from([0x81, (Number(profile) << 5) | Number(level), flags, 0]);
}

/**
 * A key frame of an AV1 film as an AVIF, which is the same in another container.
 * @param frame the frame's OBUs, the sequence header among them
 */
export function avifOf(frame: Uint8Array, codec: string, width: number, height: number): Buffer | undefined {
  const av1C = configuration(codec);
  if (av1C === undefined) return undefined;
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  const isHigh = ((av1C[2] ?? 0) & 0x40) > 0;
  const depth = isHigh ? (((av1C[2] ?? 0) & 0x20) > 0 ? 12 : 10) : 8;
  const channels = ((av1C[2] ?? 0) & 0x10) > 0 ? 1 : 3;
  const build = (offset: number) =>
    Buffer.concat([
      box('ftyp', Buffer.from('avif\0\0\0\0avifmif1miaf', 'latin1')),
      full('meta', [
        full('hdlr', [Buffer.from('\0\0\0\0pict\0\0\0\0\0\0\0\0\0\0\0\0\0', 'latin1')]),
        full('pitm', [Buffer.from([0, 1])]),
        full('iloc', [Buffer.from([0x44, 0, 0, 1, 0, 1, 0, 0, 0, 1]), uint32(offset), uint32(frame.length)]),
        full('iinf', [Buffer.from([0, 1]), full('infe', [Buffer.from('\0\x01\0\0av01\0', 'latin1')], 2)]),
        box(
          'iprp',
          box(
            'ipco',
            full('ispe', [size]),
            full('pixi', [Buffer.from([channels, ...Array(channels).fill(depth)])]),
            box('av1C', av1C),
          ),
          full('ipma', [Buffer.from([0, 0, 0, 1, 0, 1, 3, 1, 2, 0x83])]),
        ),
      ]),
    ]);
  const head = build(0);
  return Buffer.concat([build(head.length + 8), box('mdat', Buffer.from(frame))]);
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

function full(type: string, content: Buffer[], version = 0): Buffer {
  return box(type, Buffer.from([version, 0, 0, 0]), ...content);
}
