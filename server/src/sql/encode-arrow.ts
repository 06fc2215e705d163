import {
  Column as ArrowColumn,
  bool,
  columnFromArray,
  type DataType,
  dateDay,
  float32,
  float64,
  int16,
  int32,
  int64,
  TimeUnit,
  tableFromColumns,
  tableToIPC,
  timestamp,
  utf8,
} from '@uwdata/flechette';
import { namesOf, OID, type RowFormat, toJsonList } from './encode-rows.ts';

/** A column as Arrow has it, and how its values are read. */
interface Reading {
  type: DataType;
  read(text: string): unknown;
  /** Values are given as 64-bit integers. */
  isCounted?: boolean;
}

const TIME = /^(\d+)-(\d\d)-(\d\d)(?: (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?(?:\+00)?)?( BC)?$/;

/** Milliseconds, and the microseconds beyond them, since 1970. Arrow has no infinity: null. */
function instantOf(text: string): [milliseconds: number, microseconds: number] | null {
  const [whole, year, month, day, hour = 0, minute = 0, second = 0, fraction = '', era] = TIME.exec(text) ?? [];
  if (whole === undefined) return null;
  const micros = Number(fraction.padEnd(6, '0'));
  const date = new Date(Date.UTC(2000, 0, 1, Number(hour), Number(minute), Number(second), Math.floor(micros / 1000)));
  const at = date.setUTCFullYear(era ? 1 - Number(year) : Number(year), Number(month) - 1, Number(day));
  return Number.isNaN(at) ? null : [at, micros % 1000];
}

function microsecondsOf(text: string): bigint | null {
  const instant = instantOf(text);
  return instant && BigInt(instant[0]) * 1000n + BigInt(instant[1]);
}

/** Decimals stay texts, which are exact whatever their precision, as in JSON; so do UUIDs, JSON and intervals. */
function readingOf(type: number): Reading {
  switch (type) {
    case OID.bool:
      return { type: bool(), read: (text) => text === 't' };
    case OID.int2:
      return { type: int16(), read: Number };
    case OID.int4:
      return { type: int32(), read: Number };
    case OID.int8:
      return { type: int64(), read: BigInt };
    case OID.float4:
      return { type: float32(), read: Number };
    case OID.float8:
      return { type: float64(), read: Number };
    case OID.date:
      return { type: dateDay(), read: (text) => instantOf(text)?.[0] ?? null };
    case OID.timestamp:
      return { type: timestamp(TimeUnit.MICROSECOND), read: microsecondsOf, isCounted: true };
    case OID.timestamptz:
      return { type: timestamp(TimeUnit.MICROSECOND, 'UTC'), read: microsecondsOf, isCounted: true };
  }
  return { type: utf8(), read: toJsonList(type) ?? ((text) => text) };
}

function columnOf({ type, read, isCounted }: Reading, values: (string | null)[]): ArrowColumn<unknown> {
  const taken = values.map((text) => (text === null ? null : read(text)));
  // The library takes milliseconds for times, which would round them.
  return isCounted ? new ArrowColumn([...columnFromArray(taken, int64()).data], type) : columnFromArray(taken, type);
}

/** Ends a stream. */
const END = Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0);

/** The format of Arrow for streams: the schema, and each part as a record batch. A stream that breaks off lacks its end. */
export const arrow: RowFormat = {
  contentType: 'application/vnd.apache.arrow.stream',
  encode({ columns, rows }, isFirst) {
    const names = namesOf(columns);
    const read = columns.map(({ type }, i): [string, ArrowColumn<unknown>] => [
      names[i] ?? '',
      columnOf(
        readingOf(type),
        rows.map((row) => row[i] ?? null),
      ),
    ]);
    const stream = tableToIPC(tableFromColumns(read), { format: 'stream' });
    if (stream === null) throw new Error('The library wrote the rows elsewhere');
    return stream.subarray(isFirst ? 0 : lengthOfSchema(stream), -END.length);
  },
  end: () => END,
};

/** A message begins with a mark of four bytes and the length of its metadata; that of a schema has nothing else. */
const lengthOfSchema = ({ buffer, byteOffset }: Uint8Array) => 8 + new DataView(buffer, byteOffset).getInt32(4, true);
