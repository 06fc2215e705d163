import type { Tx } from '../../shared/postgres/database.ts';
import { rows, statement } from '../../shared/postgres/statement.ts';

export const LEVELS = ['campaign', 'ad_group', 'ad'] as const;
export type Level = (typeof LEVELS)[number];

/** Stores the latest names of IDs. An earlier name stays an alias. Returns those that were renamed. */
export const putAdNames = statement('analytics.put_ad_names', {
  account_id: 'uuid',
  source: 'text',
  names: rows({ level: 'text', id: 'text', name: 'text' }),
}).returns<{ level: Level; id: string; name: string }>(
  `with w as materialized (select * from :names as w),
   renamed as materialized (
     select n.*, w.name as new_name from w
     join ad_names n on n.account_id = :account_id and n.source = :source and n.level = w.level and n.id = w.id
     where n.name <> w.name),
   aliased as (
     insert into ad_aliases (account_id, source, level, value, id, is_assigned)
     select distinct on (level, lower(btrim(name))) account_id, source, level, lower(btrim(name)), id, false
     from renamed where lower(btrim(name)) <> lower(btrim(new_name))
     order by level, lower(btrim(name))
     on conflict do nothing),
   written as (
     insert into ad_names (account_id, source, level, id, name)
     select :account_id, :source, level, id, name from w order by level, id
     on conflict (account_id, source, level, id) do update set name = excluded.name where ad_names.name <> excluded.name)
   select level, id, new_name as name from renamed`,
);

/** The name that each ID and each alias stands for. */
const findAdNames = statement('analytics.find_ad_names', { account_id: 'uuid', levels: 'text[]' }).returns<{
  source: string;
  level: Level;
  value: string;
  name: string;
  is_alias: boolean;
}>(
  `select source, level, id as value, name, false as is_alias from ad_names
   where account_id = :account_id and level = any(:levels)
   union all
   select a.source, a.level, a.value, coalesce(n.name, a.id), true from ad_aliases a
   left join ad_names n using (account_id, source, level, id)
   where a.account_id = :account_id and a.level = any(:levels)`,
);

/**
 * What sessions and costs call campaigns, ad groups and ads: by ID first, then by what users assigned and what was learned from IDs in
 * landing URLs, then by name. Names match in any case, and without the spaces around them.
 */
export class AdNames {
  /** By source, level and value in lower case. */
  readonly #names = new Map<string, string>();

  static async read(tx: Tx, account_id: string, levels: readonly Level[]): Promise<AdNames> {
    const names = new AdNames();
    if (levels.length === 0) return names;
    const found = await findAdNames(tx, { account_id, levels });
    const add = (of: typeof found, valueIn: (row: (typeof found)[number]) => string) => {
      for (const row of of) names.#names.set(keyOf(row.source, row.level, valueIn(row)), row.name);
    };
    const ids = found.filter(({ is_alias }) => !is_alias);
    // The later ones win.
    add(ids, ({ name }) => name.toLowerCase());
    add(ids, ({ value }) => value);
    add(
      found.filter(({ is_alias }) => is_alias),
      ({ value }) => value,
    );
    return names;
  }

  nameOf<Value extends string | null>(source: string, level: Level, value: Value): Value | string {
    if (value === null || value === '') return value;
    const trimmed = value.trim();
    if (this.#names.size === 0) return trimmed;
    return this.#names.get(keyOf(source.toLowerCase(), level, trimmed.toLowerCase())) ?? trimmed;
  }
}

const keyOf = (source: string, level: Level, value: string) => `${level}\n${source}\n${value}`;
