import type { FastifyReply, FastifyRequest } from 'fastify';
import { invalid } from '../../shared/errors.ts';

const TAG = /^\s*(?:W\/)?"(\d{1,9})"\s*$/;

/**
 * The version that a change expects, of its body or the header `If-Match`, where an entry's `ETag` is its version.
 * @throws ApiError 400 `version_conflict` if both are sent and differ, or for a tag that no version has
 */
export function expectedVersion(request: FastifyRequest, sent: number | undefined): number | undefined {
  const tag = request.headers['if-match'];
  if (tag === undefined || tag.trim() === '*') return sent;
  const version = Number(TAG.exec(tag)?.[1]);
  if (Number.isInteger(version) && (sent === undefined || sent === version)) return version;
  const detail = 'If-Match must be the ETag of the entry, which is its version, such as "3".';
  throw invalid([{ pointer: '/version', code: 'version_conflict', detail }]);
}

/** Adds the version of an entry as its `ETag`. @param entry as it is returned, or its JSON, which ends with the version and times */
export function withEntryTag<Sent extends { version: number } | string>(reply: FastifyReply, entry: Sent): Sent {
  const version = typeof entry === 'string' ? versionOf(entry) : entry.version;
  reply.header('etag', `"${version}"`);
  return entry;
}

const MEMBER = '"version":';

function versionOf(json: string): number {
  return Number.parseInt(json.slice(json.lastIndexOf(MEMBER) + MEMBER.length), 10);
}
