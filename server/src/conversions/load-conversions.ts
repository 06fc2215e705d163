import { publicId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { rows, statement } from '../shared/postgres/statement.ts';
import { isoTime } from '../shared/time.ts';
import type { ConversionSummary } from './contract.ts';

interface LoadedConversion {
  conversion: ConversionSummary;
  sessionNumber: number | null;
}

/**
 * Conversions by UUID, each as it was at a version, in order; undefined if the conversion was deleted. Data that was erased
 * since is missing from all versions.
 */
export async function loadConversions(
  tx: Tx,
  versions: readonly { accountId: string; id: string; version: number }[],
): Promise<(LoadedConversion | undefined)[]> {
  const conversions = versions.map(({ accountId, id, version }) => ({ account_id: accountId, id, version }));
  const found = await findVersions(tx, { conversions });
  const byKey = new Map(found.map((row) => [`${row.id} ${row.version}`, row]));
  return versions.map(({ id, version }) => {
    const row = byKey.get(`${id} ${version}`);
    return (
      row && {
        sessionNumber: row.session_number,
        conversion: {
          id: publicId('cnv', id),
          eventId: row.event_id,
          event: row.event ?? 'conversion',
          value: row.value,
          currency: row.currency,
          createdOn: isoTime(row.created_on ?? row.received_at),
          receivedAt: isoTime(row.received_at),
          origin: row.origin,
          identifier: row.identifier,
          extra: row.extra,
          withdrawnAt: row.withdrawn_at && isoTime(row.withdrawn_at),
        },
      }
    );
  });
}

interface VersionRow {
  id: string;
  version: number;
  event_id: string | null;
  event: string | null;
  value: string | null;
  currency: string | null;
  created_on: Date | null;
  received_at: Date;
  origin: 'report' | 'event';
  identifier: Record<string, string | number> | null;
  extra: Record<string, unknown> | null;
  session_number: number | null;
  withdrawn_at: Date | null;
}

/** A member at the requested version: its latest value among the revisions up to then. */
const atVersion = (member: string, current = `sent_${member}`) =>
  `case when c.version = w.version then c.${current} else
     (select r.${member} from conversion_revisions r
      where r.account_id = c.account_id and r.conversion_id = c.id and r.version <= w.version and r.${member} is not null
        and (r.withdrawn_version is null or r.withdrawn_version > w.version)
        and (r.arrival > 0 or w.version = r.version)
      order by r.arrival desc limit 1) end as ${member}`;

const findVersions = statement('conversions.find_versions', {
  conversions: rows({ account_id: 'uuid', id: 'uuid', version: 'integer' }),
}).returns<VersionRow>(
  `select c.id, w.version, c.event_id, ${atVersion('event')}, ${atVersion('value', 'value')},
     ${atVersion('currency', 'currency')}, ${atVersion('created_on')}, ${atVersion('extra', 'extra')}, c.received_at,
     c.origin, c.identifier, c.session_number,
     case when c.version = w.version then c.withdrawn_at end as withdrawn_at
   from :conversions as w
   join lateral (select * from conversions c where c.account_id = w.account_id and c.id = w.id limit 1) c on true`,
);
