type Value = string | number | Value[] | { [key: string]: Value };

/** A value in the data format of MaxMind databases, as far as a place needs it. */
function encode(value: Value): Buffer {
  const head = (type: number, size: number) =>
    type < 8 ? Buffer.from([(type << 5) | size]) : Buffer.from([size, type - 7]);
  if (typeof value === 'string') return Buffer.concat([head(2, value.length), Buffer.from(value)]);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([head(6, 4), bytes]);
  }
  if (Array.isArray(value)) return Buffer.concat([head(11, value.length), ...value.map(encode)]);
  const members = Object.entries(value);
  return Buffer.concat([head(7, members.length), ...members.flatMap(([key, each]) => [encode(key), encode(each)])]);
}

/** The record of a place: a country, `DE`, with a region, `DE/Bavaria`, or with the region's code only, `DE/#BY`. */
function recordOf(place: string): Value {
  const [country = '', region] = place.split('/');
  const subdivision = region?.startsWith('#') ? { iso_code: region.slice(1) } : region && { names: { en: region } };
  return {
    country: { iso_code: country },
    ...(subdivision && { subdivisions: [subdivision, { names: { en: 'Part' } }] }),
  };
}

/** A database of places by whole leading bits, `{ '11001011': 'DE' }`, in MaxMind's format (https://maxmind.github.io/MaxMind-DB/). */
export function placeDatabase(ipVersion: 4 | 6, places: Record<string, string>): Buffer {
  const nodes: [number | string | undefined, number | string | undefined][] = [[undefined, undefined]];
  for (const [bits, place] of Object.entries(places)) {
    let at = 0;
    for (const [i, bit] of [...bits].entries()) {
      const node = nodes[at];
      const side = bit === '1' ? 1 : 0;
      if (!node) throw new Error('no node');
      if (i === bits.length - 1) node[side] = place;
      else {
        const next = node[side];
        if (typeof next === 'number') at = next;
        else at = node[side] = nodes.push([undefined, undefined]) - 1;
      }
    }
  }
  const data = [...new Set(Object.values(places))].map((place) => ({ place, bytes: encode(recordOf(place)) }));
  const offsetOf = (place: string) => {
    const index = data.findIndex((each) => each.place === place);
    return data.slice(0, index).reduce((sum, { bytes }) => sum + bytes.length, 0);
  };
  const tree = Buffer.alloc(nodes.length * 6);
  nodes.flat().forEach((record, i) => {
    const found = typeof record === 'string' ? nodes.length + 16 + offsetOf(record) : (record ?? nodes.length);
    tree.writeUIntBE(found, i * 3, 3);
  });
  const metadata = encode({
    node_count: nodes.length,
    record_size: 24,
    ip_version: ipVersion,
    database_type: 'Test',
    languages: ['en'],
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1,
    description: { en: 'test' },
  });
  const marker = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex');
  return Buffer.concat([tree, Buffer.alloc(16), ...data.map(({ bytes }) => bytes), marker, metadata]);
}

/** The bits of bytes, as `placeDatabase` takes them. */
export const bitsOf = (...bytes: number[]): string => bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('');
