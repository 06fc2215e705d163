import type { FindVariants, ServedVariant } from '../content/index.ts';
import type { Deps } from '../shared/deps.ts';
import { publicId } from '../shared/ids.ts';
import { SharedReads } from '../shared/shared-reads.ts';
import { isoTime } from '../shared/time.ts';
import { assign } from './assign.ts';
import type { Variant } from './contract.ts';
import { valuesFor } from './experiment.ts';
import { type ExperimentRow, findServed } from './queries.ts';

/** What public content shows of the variants that a request names, or that its visitor is assigned to. */
export function findServedVariants({ db }: Pick<Deps, 'db'>): FindVariants {
  const reads = new SharedReads<ExperimentRow[]>();
  return async (account_id, { variant, visitorId }) => {
    const named = new Map(variant?.split(',').map((pair) => pair.split(':') as [string, string]));
    const keys = visitorId === undefined ? [...named.keys()] : null;
    const rows = await reads.share(`${account_id} ${keys?.join()}`, () => findServed(db, { account_id, keys }));
    return rows.flatMap((row) => {
      const assigned = visitorId === undefined ? undefined : assign(assigning(row), visitorId).variant;
      return served(row, named.get(row.key) ?? assigned ?? undefined) ?? [];
    });
  };
}

/** What of an experiment decides the variant of a visitor. */
export const assigning = ({ definition, preceding, shipped_variant }: ExperimentRow) => ({
  ...definition,
  preceding,
  shippedVariant: shipped_variant,
});

/** What a variant replaces in an entry. Of what was shipped, everybody sees the published values, and the holdout what was there before. */
function valuesOf({ definition, shipped_variant, before }: ExperimentRow, variant: Variant, entryId: string) {
  if (shipped_variant === null) return valuesFor(variant.values, entryId)?.values ?? null;
  return variant.key === definition.variants[0]?.key ? (before?.[entryId] ?? null) : null;
}

/** All that the variants of an experiment show of its entries. */
export const shownEntries = (row: ExperimentRow) =>
  row.definition.content.map(({ collectionId, entryId }) => ({
    ...{ collectionId, entryId },
    values: row.definition.variants
      .map((variant) => valuesOf(row, variant, entryId))
      .filter((values) => values !== null),
  }));

function served(row: ExperimentRow, key: string | undefined): ServedVariant | undefined {
  const { definition } = row;
  const variant = definition.variants.find((each) => each.key === key);
  if (!variant || definition.content.length === 0) return undefined;
  return {
    ...{ experiment: row.key, variant: variant.key, tag: publicId('exp', row.id), version: isoTime(row.updated_at) },
    entries: definition.content.map((each) => ({ ...each, values: valuesOf(row, variant, each.entryId) })),
  };
}
