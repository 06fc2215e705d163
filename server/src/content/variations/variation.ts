import type { Tx } from '../../shared/postgres/database.ts';
import type { Collection, SchemaView } from '../collections/collection.ts';
import { checkChangedValues, type Values } from '../entries/check-values.ts';

/** Which variants a request of public content asks for. */
export interface ChosenVariants {
  /** `experiment:variant`, several after commas. */
  variant?: string | undefined;
  /** Assigned by the service. */
  visitorId?: string | undefined;
}

/** What a variant of an experiment shows. */
export interface ServedVariant {
  experiment: string;
  variant: string;
  /** By which caches purge what shows it. */
  tag: string;
  /** Different whenever it may show something else. */
  version: string;
  entries: readonly { collectionId: string; entryId: string; values: Values | null }[];
}

/** Finds the variants of a request; those of experiments that are not served are left out. */
export type FindVariants = (accountId: string, chosen: ChosenVariants) => Promise<ServedVariant[]>;

/** Replaces published values by those of variants. Of two variants of one entry, the first counts. */
export class Variation {
  readonly tags: readonly string[];
  readonly name: string;
  readonly #collections: ReadonlyMap<string, Collection>;
  readonly #entries = new Map<string, { collectionId: string; values: Values | null; members: string }>();

  private constructor(served: readonly ServedVariant[], collections: readonly Collection[]) {
    this.tags = served.map(({ tag }) => tag);
    this.#collections = new Map(collections.map((collection) => [collection.publicId, collection]));
    const versions = collections.map(({ publicId, version }) => `${publicId}.${version}`);
    this.name = [...served.map(({ tag, variant, version }) => `${tag}:${variant}:${version}`), ...versions].join();
    for (const { experiment, variant, entries } of served) {
      const members = `,"experiment":${JSON.stringify(experiment)},"variant":${JSON.stringify(variant)}`;
      for (const { collectionId, entryId, values } of entries) {
        if (!this.#entries.has(entryId)) this.#entries.set(entryId, { collectionId, values, members });
      }
    }
  }

  static async of(tx: Tx, cache: SchemaView, accountId: string, served: readonly ServedVariant[]): Promise<Variation> {
    const ids = new Set(served.flatMap(({ entries }) => entries.map(({ collectionId }) => collectionId)));
    return new Variation(served, await cache.loadCurrent(tx, accountId, [...ids], false));
  }

  /** The values of an entry (public ID); what its fields would refuse by now remains as published. */
  apply(id: string, published: Values): Values {
    const { collectionId = '', values = null } = this.#entries.get(id) ?? {};
    const collection = this.#collections.get(collectionId);
    if (!collection || values === null) return published;
    const { values: changed, faults } = checkChangedValues(collection, values, published);
    return faults.length === 0 ? changed : published;
  }

  /** JSON of what the entry says about the experiment, after a comma. */
  membersOf(id: string): string {
    return this.#entries.get(id)?.members ?? '';
  }
}
