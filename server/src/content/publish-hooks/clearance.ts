import { createHash } from 'node:crypto';
import { publicId } from '../../shared/ids.ts';
import { readJson } from '../../shared/json.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { Collection } from '../collections/collection.ts';
import type { Values } from '../entries/check-values.ts';
import { serializeValues } from '../entries/serialize-entry.ts';
import { findHooksOf, type HookRow } from './queries.ts';

/** What is about to be published. */
interface Candidate {
  id: string;
  version: number;
  /** JSON text. */
  values: string;
  locales?: readonly string[] | undefined;
}

/** An entry as a hook is sent it. */
export interface AskedEntry {
  collectionId: string;
  entryId: string;
  version: number;
  locales: readonly string[] | null;
  values: Values;
}

/** What the hooks have allowed. It outlives the transaction that was rolled back to ask them. */
export class Clearance {
  /** Hooks that did not answer, by ID: they are not waited for again. */
  readonly failedHooks = new Set<string>();
  readonly #allowed = new Set<string>();
  readonly #allowsAll: boolean;

  /** @param allowsAll for what is rolled back in any case */
  constructor(allowsAll = false) {
    this.#allowsAll = allowsAll;
  }

  add(digests: Iterable<string>): void {
    for (const digest of digests) this.#allowed.add(digest);
  }

  has(digest: string): boolean {
    return this.#allowsAll || this.#allowed.has(digest);
  }

  get allowsAll(): boolean {
    return this.#allowsAll;
  }
}

/** Ends the transaction, which holds locks, so that hooks can be asked; it is repeated afterwards. */
export class ClearanceNeeded extends Error {
  readonly hooks: readonly HookRow[];
  readonly asked: readonly { entry: AskedEntry; pointer: string; digest: string }[];

  constructor(hooks: readonly HookRow[], asked: ClearanceNeeded['asked']) {
    super('hooks decide before this is published');
    this.hooks = hooks;
    this.asked = asked;
  }
}

/** @throws ClearanceNeeded if hooks of the collection have not allowed these values of the entries */
export async function requireClearance(
  tx: Tx,
  { clearance, publicUrl, accountId }: { clearance?: Clearance; publicUrl: string; accountId: string },
  collection: Collection,
  candidates: readonly Candidate[],
  pointerTo: (entryId: string) => string,
): Promise<void> {
  if (candidates.length === 0 || clearance?.allowsAll) return;
  const collectionId = publicId('col', collection.id);
  const hooks = await findHooksOf(tx, { account_id: accountId, collection: collectionId });
  if (hooks.length === 0) return;
  if (clearance === undefined) throw new Error('this way of publishing does not ask the hooks');
  const missing = candidates
    .map((candidate) => ({ candidate, digest: digestOf(collectionId, candidate) }))
    .filter(({ digest }) => !clearance.has(digest));
  if (missing.length === 0) return;
  const stored = missing.map(({ candidate }) => readJson(candidate.values));
  const serialized = await serializeValues(tx, accountId, collection, stored, publicUrl);
  const asked = missing.map(({ candidate: { id, version, locales = null }, digest }, index) => ({
    pointer: pointerTo(id),
    digest,
    entry: {
      collectionId,
      entryId: publicId('ent', id),
      version,
      locales,
      values: serialized[index] ?? {},
    },
  }));
  throw new ClearanceNeeded(hooks, asked);
}

/** Of the values, not the entry: one that is created and published by the same request has another ID when it is repeated. */
function digestOf(collectionId: string, { values, locales }: Candidate): string {
  const own = JSON.stringify(readJson(values), (name, value) => (name === '_id' ? undefined : value));
  return createHash('sha256')
    .update(JSON.stringify([collectionId, locales ?? null, own]))
    .digest('base64');
}
