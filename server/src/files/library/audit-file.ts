import type { FastifyRequest } from 'fastify';
import { audit, authorOf } from '../../shared/audit.ts';
import { publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { AssetRow } from './queries.ts';

/** Records what a user does to a file. Keys are not audited: they upload too many. */
export async function auditFile(
  tx: Tx,
  request: FastifyRequest,
  action: 'uploaded' | 'changed' | 'replaced' | 'deleted',
  { before, after }: { before?: AssetRow; after?: AssetRow },
  now: number,
): Promise<void> {
  const row = after ?? before;
  if (request.caller.type !== 'user' || !row) return;
  const change = {
    action: `file.${action}`,
    subject: ['file', publicId('ast', row.id)] as const,
    before: before && auditedState(before),
    after: after && auditedState(after),
  };
  await audit(tx, authorOf(request), change, now);
}

function auditedState({ name, alt, focal_x, focal_y, media_type, bytes, width, height, tags, deleted_at }: AssetRow) {
  const focalPoint = focal_x === null ? null : { x: focal_x, y: focal_y };
  const status = deleted_at === null ? 'active' : 'deleted';
  return { name, alt, focalPoint, mediaType: media_type, bytes, width, height, tags, status };
}
