import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import type pg from 'pg';
import { asIs, encryption } from '../encryption.ts';
import { putJson, type Repository } from '../repository.ts';
import { chainKey, listChains, type Reach, readReach, segmentKey, timeName } from './chain.ts';
import { formatPosition, parsePosition, SEGMENT_BYTES, segmentAt, segmentName, startOf } from './segments.ts';

const SLOT_PREFIX = 'headwater_';
const COMPRESSION = {
  params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
};

export interface LogArchive {
  repository: Repository;
  recipient: string | undefined;
  /** The folder of the cluster. */
  cluster: string;
}

interface Slot {
  name: string;
  /** The oldest position that the server keeps; null: it kept none. */
  restart_lsn: string | null;
  wal_status: string | null;
}

/**
 * Finds the chain that the server's log belongs to, or starts one. A replication slot makes the server keep the log until it
 * is archived, up to `max_slot_wal_keep_size`; its name says which chain it is for.
 */
export async function openChain(
  client: pg.Client,
  { repository }: LogArchive,
  now: number,
): Promise<{ chain: string; until: number; hasGap: boolean }> {
  const slots = await listSlots(client);
  const [slot] = slots;
  if (slot && slots.length === 1) {
    const chain = slot.name.slice(SLOT_PREFIX.length);
    const isKept = slot.restart_lsn !== null && slot.wal_status !== 'lost';
    // The slot of a service whose BACKUP_URL was another one belongs to no chain here.
    const reach = await readReach(repository.storage, chain);
    if (isKept && reach) return { chain, until: Date.parse(reach.until), hasGap: false };
  }
  await dropSlots(client);
  const hasGap = slots.length > 0 || (await listChains(repository.storage)).length > 0;
  const chain = timeName(new Date(now));
  await client.query('select pg_create_physical_replication_slot($1, true)', [`${SLOT_PREFIX}${chain}`]);
  const reach: Reach = { until: new Date(now).toISOString(), segment: '' };
  await putJson(repository, chainKey(chain, 'until.json'), reach);
  return { chain, until: now, hasGap };
}

async function listSlots(client: pg.Client): Promise<Slot[]> {
  const { rows } = await client.query<Slot>(
    'select slot_name as name, restart_lsn, wal_status from pg_replication_slots where starts_with(slot_name, $1)',
    [SLOT_PREFIX],
  );
  return rows;
}

/** Lets the server delete its log. */
export async function dropSlots(client: pg.Client): Promise<void> {
  for (const { name } of await listSlots(client)) await client.query('select pg_drop_replication_slot($1)', [name]);
}

/** Archives the log up to now. Everything that was committed before the call is archived when it returns. */
export async function archiveLog(client: pg.Client, to: LogArchive, chain: string, now: number): Promise<Reach> {
  const slot = `${SLOT_PREFIX}${chain}`;
  // The rest of the segment stays empty, which compresses to nothing. Does nothing if nothing was written since the last call.
  const { rows } = await client.query(
    `select pg_switch_wal()::text as position, (select timeline_id from pg_control_checkpoint()) as timeline,
       (select restart_lsn::text from pg_replication_slots where slot_name = $1) as kept`,
    [slot],
  );
  const { position, timeline, kept } = rows[0];
  // The position is in the last segment, or at its end, which is the start of the next.
  const end = segmentAt(parsePosition(position) + BigInt(SEGMENT_BYTES - 1));
  for (let segment = segmentAt(parsePosition(kept)); segment < end; segment++) {
    await archiveSegment(to, chain, segmentName(timeline, segment));
    await client.query('select pg_replication_slot_advance($1, $2)', [slot, formatPosition(startOf(segment + 1n))]);
  }
  const reach: Reach = { until: new Date(now).toISOString(), segment: segmentName(timeline, end - 1n) };
  await putJson(to.repository, chainKey(chain, 'until.json'), reach);
  return reach;
}

async function archiveSegment(
  { repository, recipient, cluster }: LogArchive,
  chain: string,
  name: string,
): Promise<void> {
  await repository.withSpool(async (folder) => {
    const path = join(folder, name);
    await pipeline(
      createReadStream(join(cluster, 'pg_wal', name), { highWaterMark: 1_048_576 }),
      createZstdCompress(COMPRESSION),
      recipient === undefined ? asIs : encryption(recipient),
      createWriteStream(path, { mode: 0o600 }),
    );
    await repository.storage.put(path, segmentKey(chain, name, recipient !== undefined), 'application/octet-stream');
  });
}

/** How much of the log is not archived yet. */
export async function countWaitingBytes(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    `select coalesce(max(pg_current_wal_lsn() - restart_lsn), 0)::float8 as bytes
     from pg_replication_slots where starts_with(slot_name, $1)`,
    [SLOT_PREFIX],
  );
  return rows[0].bytes;
}
