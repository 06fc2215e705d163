import type { ByteWriter } from '../../shared/byte-writer.ts';
import type { Collection } from '../collections/collection.ts';
import { type EntryFrame, type EntryJsonRow, localeMembers } from '../entries/entry-json.ts';
import type { PageRow } from './page-request.ts';

/** Writes an entry of a page as JSON. @param values undefined: as they are stored */
export type WriteEntry = (out: ByteWriter, row: PageRow, values: Buffer | undefined) => void;

const [ID, VERSION, PUBLISHED_VERSION, PUBLISHED_AT, NULL, QUOTE, COMMA, CREATED_AT, UPDATED_AT, END] = [
  '{"id":"ent_',
  ',"status":"active","version":',
  ',"publishedVersion":',
  ',"publishedAt":',
  'null',
  '"',
  ',',
  '"createdAt":"',
  '","updatedAt":"',
  '"}',
].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer];

/** As `entryJson`. A page has up to a hundred entries, so nothing of them becomes a text in between. */
export function entryWriter({ publicId, publishing, locales, locale }: Collection): WriteEntry {
  const collectionId = Buffer.from(`","collectionId":"${publicId}","values":`);
  return (out, row, values) => {
    out.bytes(ID);
    row.writePublicDigits(out);
    out.bytes(collectionId);
    if (values) out.bytes(values);
    else row.writeValues(out);
    out.bytes(VERSION);
    out.integer(row.version);
    if (publishing) writePublished(out, row);
    out.bytes(COMMA);
    if (locales) out.ascii(localeMembers(locales, locale, publishing, jsonRowOf(row)));
    out.bytes(CREATED_AT);
    out.time(row.createdAt);
    out.bytes(UPDATED_AT);
    out.time(row.updatedAt);
    out.bytes(END);
  };
}

function writePublished(out: ByteWriter, { publishedVersion, publishedAt }: PageRow): void {
  out.bytes(PUBLISHED_VERSION);
  if (publishedVersion === undefined) out.bytes(NULL);
  else out.integer(publishedVersion);
  out.bytes(PUBLISHED_AT);
  if (publishedAt === undefined) out.bytes(NULL);
  else {
    out.bytes(QUOTE);
    out.time(publishedAt);
    out.bytes(QUOTE);
  }
}

/** Writes entries whose JSON is put together as text. */
export function writerOfFrames(frameOf: (row: EntryJsonRow) => EntryFrame): WriteEntry {
  return (out, row, values) => {
    const [before, after] = frameOf(jsonRowOf(row));
    out.ascii(before);
    if (values) out.bytes(values);
    else row.writeValues(out);
    out.ascii(after);
  };
}

function jsonRowOf(row: PageRow): EntryJsonRow {
  const { uuidBytes, version, updatedAt, publishedVersion, publishedAt, publishedLocales } = row;
  return {
    id: uuidBytes,
    status: 'active',
    version,
    updated_at: updatedAt,
    published_version: publishedVersion,
    published_at: publishedAt,
    published_locales: publishedLocales,
  };
}
