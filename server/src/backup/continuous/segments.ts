/** PostgreSQL writes its log in files of this size, its default. */
export const SEGMENT_BYTES = 16 * 1_048_576;
const SEGMENTS_PER_LOG = 256n;

/** Reads a position in the log, such as `1/6B3741A0`. */
export function parsePosition(text: string): bigint {
  const [high = '', low = ''] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

export function formatPosition(position: bigint): string {
  return `${(position >> 32n).toString(16)}/${(position & 0xffffffffn).toString(16)}`.toUpperCase();
}

/** The number of the segment that contains a position. */
export const segmentAt = (position: bigint): bigint => position / BigInt(SEGMENT_BYTES);

export const startOf = (segment: bigint): bigint => segment * BigInt(SEGMENT_BYTES);

const hex = (value: bigint) => value.toString(16).toUpperCase().padStart(8, '0');

/** The name of a segment's file: timeline and number, in hexadecimal. */
export function segmentName(timeline: number, segment: bigint): string {
  return `${hex(BigInt(timeline))}${hex(segment / SEGMENTS_PER_LOG)}${hex(segment % SEGMENTS_PER_LOG)}`;
}

export function parseSegment(name: string): { timeline: number; segment: bigint } | undefined {
  const [, timeline, log, number] = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})$/.exec(name) ?? [];
  if (timeline === undefined) return undefined;
  return {
    timeline: Number.parseInt(timeline, 16),
    segment: BigInt(`0x${log}`) * SEGMENTS_PER_LOG + BigInt(`0x${number}`),
  };
}
