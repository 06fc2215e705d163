import { publicId, uuidTime } from '../../shared/ids.ts';
import { isoTime } from '../../shared/time.ts';
import type { Collection, Status } from '../collections/collection.ts';

/** An entry as JSON with the text of its values, the only part that can contain characters that JSON escapes. */
export function entryJson(
  { publicId: collectionId }: Collection,
  /** @param updated_at as PostgreSQL writes it */
  { id, status, version, updated_at }: { id: string; status: Status; version: number | string; updated_at: string },
  values: string,
): string {
  return `{"id":"${publicId('ent', id)}","collectionId":"${collectionId}","values":${values},"status":"${status}","version":${version},"createdAt":"${isoTime(uuidTime(id))}","updatedAt":"${isoOf(updated_at)}"}`;
}

/** Converts a time as PostgreSQL writes it, `2026-11-20 08:00:00.12+00`. A time in UTC needs no parsing. */
function isoOf(text: string): string {
  if (!text.endsWith('+00') || text.length > 26) return isoTime(new Date(text));
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0')}Z`;
}
