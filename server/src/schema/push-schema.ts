import { isDeepStrictEqual } from 'node:util';
import { type Caller, grantsOf, KEY_FORGOTTEN, type RoleAccess } from '../accounts/index.ts';
import {
  applyContentSchema,
  countLosses,
  findLosses,
  lockSchema,
  readContentSchema,
  resolvePermissions,
  uncachedView,
} from '../content/index.ts';
import { type Author, audit } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import { ApiError, badRequest, invalid, notFound, refuse } from '../shared/errors.ts';
import { newUuid, parseId, publicId } from '../shared/ids.ts';
import { notifyEverywhere } from '../shared/postgres/confirm.ts';
import { type ControlTx, commitOn, type Tx } from '../shared/postgres/database.ts';
import { HEARTBEAT_TTL_MS } from '../shared/postgres/listener.ts';
import { DAY } from '../shared/units.ts';
import { applyRoleSchema, type RoleChecker, readRoleSchema, type SchemaRole } from '../users/index.ts';
import { applyWebhookSchema, readWebhookSchema } from '../webhooks/index.ts';
import type { PushResult, Schema, SchemaChange, SentSchema } from './contract.ts';
import { diffSchemas, type PlacedChange } from './diff.ts';
import { deleteOldPushes, findPush, insertPush } from './queries.ts';

type SchemaDeps = Pick<Deps, 'db' | 'control' | 'clock' | 'vault' | 'config'>;
type Stored = Awaited<ReturnType<typeof readContentSchema>>;

interface PushOptions {
  dryRun?: boolean | undefined;
  allowDataLoss?: boolean | undefined;
  /** Whether the review of existing collections stays, as for all but owners. */
  keepsReview?: boolean | undefined;
  /** Called when the index of new fields was left to the worker. */
  onBackfill?: (() => void) | undefined;
  /** Who pushes: they give and take no role that may do more than they may. Undefined: a command, which may do everything. */
  caller?: Caller | undefined;
  /** Called when an undo would change roles. May refuse it. */
  onRoles?: (() => void) | undefined;
  /** The time until it must respond. Undefined: no limit, as for a command. */
  answerMs?: number | undefined;
}

const KEPT_MS = 30 * DAY;
const MAX_ATTEMPTS = 5;
/** The part of the response time that is reserved for the commits: one that has begun takes effect, even if the response says otherwise. */
const COMMIT_MS = 1_000;

/** The error of a push that exceeds the response time. Its changes are rolled back. */
export function tookTooLong(): ApiError {
  const detail = 'The push took too long and was given up. Send it again after the time in Retry-After.';
  return new ApiError(429, 'overloaded', detail, { headers: { 'retry-after': '1' } });
}

/** The schema of an account as somebody with a role may read it. */
export async function readSchema(
  { db, control }: Pick<Deps, 'db' | 'control'>,
  accountId: string,
  access?: RoleAccess,
): Promise<Schema> {
  const roles = await readRoleSchema(control, accountId);
  const { schema } = await readStored(db, accountId, roles, access);
  const keys = keysById(schema);
  const name = (id: string) => keys.get(id) ?? id;
  return { ...schema, roles: roles.map((role) => withCollections(role, name)) };
}

/** @param roles with IDs of collections, so that a new key of a collection does not change them */
async function readStored(
  tx: Tx,
  accountId: string,
  roles: SchemaRole[],
  access?: RoleAccess,
): Promise<{ schema: Schema; stored: Stored }> {
  const stored = await readContentSchema(tx, accountId, access && uncachedView(access));
  const { collections, components, locales } = stored;
  const keys = keysById(stored);
  const webhooks = await readWebhookSchema(tx, accountId, (id) => keys.get(id) ?? id);
  return { schema: { collections, components, locales, roles, webhooks }, stored };
}

const keysById = ({ collections }: { collections: readonly { id?: string; key?: string | null }[] }) =>
  new Map(collections.map(({ id, key }) => [id, key]));

const withCollections = ({ permissions, ...role }: SchemaRole, name: (collection: string) => string): SchemaRole => ({
  ...role,
  ...(permissions && { permissions: permissions.map((each) => ({ ...each, collection: name(each.collection) })) }),
});

/** The transaction in which a push changes roles. They are in the control database. */
interface RolesOfPush {
  tx: ControlTx;
  confirmTo: string;
  mustConfirm: boolean;
}

interface Plan {
  changes: PlacedChange[];
  losses: ReturnType<typeof findLosses>;
  undoId: string | null;
  needsBackfill: boolean;
}

/** Thrown in the transaction of a push so that nothing of it happens. */
class Refused extends Error {
  readonly plan: Plan;
  constructor(plan: Plan) {
    super('not applied');
    this.plan = plan;
  }
}

/**
 * Makes the schema of an account what is sent, in one transaction; sections that are absent stay as they are. A dry run does the
 * same and takes it back, so that it finds every fault.
 * @throws ApiError 400 with every fault, by pointers into the schema; `data_loss` with every change that loses data
 */
export async function pushSchema(
  deps: SchemaDeps,
  author: Author,
  { allowDataLoss: isAllowed, ...sent }: SentSchema,
  options: PushOptions = {},
): Promise<PushResult> {
  const allowDataLoss = isAllowed || options.allowDataLoss;
  return push(deps, author, async () => sent, sent.roles !== undefined, { ...options, allowDataLoss });
}

/**
 * Restores what a push changed, unless that was changed since. Locales stay if there were none.
 * @throws ApiError 404; 400 `schema_changed`, `data_loss` for values of what the push had added
 */
export async function undoPush(
  deps: SchemaDeps,
  author: Author,
  undoId: string,
  options: PushOptions = {},
): Promise<PushResult> {
  const id = parseId('und', undoId);
  if (id === undefined) throw notFound('push');
  const { accountId: account_id } = author;
  const [found] = await findPush(deps.db, { account_id, id });
  if (!found || found.created_at.getTime() < deps.clock() - KEPT_MS) throw notFound('push');
  // Pushes of earlier versions have no roles.
  const [before, after] = [found.before, found.after].map((schema) => ({ ...schema, roles: schema.roles ?? [] })) as [
    Schema,
    Schema,
  ];
  const changesRoles = !isDeepStrictEqual(before.roles, after.roles);
  if (changesRoles) options.onRoles?.();
  const restore = async (_tx: Tx, current: Schema) => {
    const { roles, ...restored } = withoutPush(JSON.parse(JSON.stringify(current)), before, after);
    return changesRoles ? { ...restored, roles } : restored;
  };
  return push(deps, author, restore, changesRoles, options);
}

/** The current schema with what is different between two others as it was before. */
function withoutPush(current: Schema, before: Schema, after: Schema): Schema {
  const isAs = (a: unknown, b: unknown) => {
    if (!isDeepStrictEqual(a, b)) throw badRequest('schema_changed', 'What this push changed was changed again since.');
  };
  const restored = <Item extends { id?: string }>(now: Item[], was: Item[], became: Item[]): Item[] => {
    const find = (list: Item[], id: string | undefined) => list.find((each) => each.id === id);
    const changed = [...became, ...was.filter(({ id }) => !find(became, id))]
      .map(({ id }) => id)
      .filter((id) => !isDeepStrictEqual(find(was, id), find(became, id)));
    for (const id of changed) isAs(find(now, id), find(became, id));
    return [...now.filter(({ id }) => !changed.includes(id)), ...was.filter(({ id }) => changed.includes(id))];
  };
  // Deleted fields still have values in the default locale.
  const hasLocales = before.locales.default !== null && !isDeepStrictEqual(before.locales, after.locales);
  if (hasLocales) isAs(current.locales, after.locales);
  return {
    collections: restored(current.collections, before.collections, after.collections),
    components: restored(current.components, before.components, after.components),
    locales: hasLocales ? before.locales : current.locales,
    roles: restored(current.roles, before.roles, after.roles),
    webhooks: restored(current.webhooks, before.webhooks, after.webhooks),
  };
}

async function push(
  deps: SchemaDeps,
  author: Author,
  wanted: (tx: Tx, current: Schema) => Promise<SentSchema>,
  changesRoles: boolean,
  {
    dryRun = false,
    allowDataLoss = false,
    keepsReview = false,
    onBackfill,
    caller,
    answerMs = Number.POSITIVE_INFINITY,
  }: PushOptions,
): Promise<PushResult> {
  const { accountId } = author;
  const commitsBefore = performance.now() + answerMs - COMMIT_MS;
  /** The losses that have been counted, and were none. */
  const harmless = new Set<string>();
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    let plan: Plan;
    try {
      const isAccepted = ({ losses, changes }: Plan) =>
        !dryRun &&
        (allowDataLoss || (losses.every((loss) => harmless.has(nameOf(loss))) && !changes.some(losesSecret)));
      const run = (roles?: RolesOfPush) =>
        deps.db.transaction((tx) =>
          attemptPush(deps, tx, author, wanted, isAccepted, {
            keepsReview,
            caller,
            commitsBefore,
            roles: roles ?? null,
          }),
        );
      plan = changesRoles ? await withRoles(deps, run) : await run();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { plan: refused } = error;
      // Counted while nobody waits for locks.
      const counts = await countLosses(deps.db, accountId, refused.losses);
      const changes = withLosses(refused, counts);
      if (dryRun) return resultOf(changes, { dryRun, applied: false, undoId: null });
      refuseLosses(changes);
      for (const loss of refused.losses) harmless.add(nameOf(loss));
      continue;
    }
    if (plan.needsBackfill) onBackfill?.();
    const changes = withLosses(plan, await countLosses(deps.db, accountId, plan.losses));
    return resultOf(changes, { dryRun, applied: plan.changes.length > 0, undoId: plan.undoId });
  }
  throw badRequest('schema_changed', 'The schema was changed by others while it was pushed. Try again.');
}

const nameOf = ({ at, collectionId }: Plan['losses'][number]) => [collectionId, ...at].join('\n');

/** Without its secret, receivers of a webhook refuse its messages. */
const losesSecret = ({ type, action }: SchemaChange) => type === 'webhook' && action === 'delete';

/**
 * Runs a push that changes roles, in transactions of both databases: that of the roles commits when everything of the other is done but its
 * commit. Every process drops what it knows of tokens with a changed role before this returns.
 */
async function withRoles({ control }: SchemaDeps, run: (roles: RolesOfPush) => Promise<Plan>): Promise<Plan> {
  const client = await control.connect('headwater-roles');
  let plan: Plan | undefined;
  try {
    await notifyEverywhere(client, KEY_FORGOTTEN, HEARTBEAT_TTL_MS, async (confirmTo) => {
      const roles = { tx: client, confirmTo, mustConfirm: false };
      plan = await run(roles);
      return roles.mustConfirm;
    });
  } finally {
    // What did not commit is rolled back.
    await client.end();
  }
  if (!plan) throw new Error('the push did not run');
  return plan;
}

async function attemptPush(
  deps: SchemaDeps,
  tx: Tx,
  author: Author,
  wanted: (tx: Tx, current: Schema) => Promise<SentSchema>,
  isAccepted: (plan: Plan) => boolean,
  {
    keepsReview,
    caller,
    commitsBefore,
    roles: control,
  }: { keepsReview: boolean; caller: Caller | undefined; commitsBefore: number; roles: RolesOfPush | null },
): Promise<Plan> {
  const { accountId } = author;
  const now = deps.clock();
  // After a deadlock the other transaction runs again.
  await control?.tx.query('rollback');
  await control?.tx.query('begin');
  await lockSchema(tx, { account_id: accountId });
  const rolesNow = async () => (control ? readRoleSchema(control.tx, accountId) : []);
  const before = await readStored(tx, accountId, await rolesNow());
  const { webhooks, roles, ...content } = await wanted(tx, before.schema);
  const { faults, needsBackfill } = await applyContentSchema(deps.db, tx, accountId, content, now, keepsReview);
  if ((webhooks || roles) && faults.length === 0) {
    const ids = idsByName(content.collections ?? [], (await readStored(tx, accountId, [])).schema);
    const idOf = (name: string) => ids.get(name) ?? name;
    if (webhooks) faults.push(...(await applyWebhookSchema(deps, tx, accountId, webhooks, idOf, now)));
    if (roles && control) {
      const wantedRoles = roles.map((role) => withCollections(role, idOf));
      const checker: RoleChecker = {
        // Of this transaction: the collections that the push makes are among them.
        resolve: (permissions, found) =>
          resolvePermissions(tx, uncachedView(caller?.access), accountId, permissions, found),
        own: caller && grantsOf(caller),
      };
      const applied = await applyRoleSchema(control.tx, checker, author, wantedRoles, control.confirmTo, now);
      control.mustConfirm = applied.mustConfirm;
      faults.push(...applied.faults);
    }
  }
  refuse(faults);
  const after = await readStored(tx, accountId, await rolesNow());
  const changes = diffSchemas(before.schema, after.schema);
  const plan: Plan = { changes, losses: findLosses(before.stored, after.stored), undoId: null, needsBackfill };
  if (!isAccepted(plan)) throw new Refused(plan);
  if (changes.length === 0) {
    if (control) await commitOn(control.tx);
    return plan;
  }
  if (performance.now() > commitsBefore) throw tookTooLong();
  const id = newUuid(now);
  await deleteOldPushes(tx, { account_id: accountId, before: new Date(now - KEPT_MS) });
  await insertPush(tx, {
    account_id: accountId,
    id,
    before: JSON.stringify(before.schema),
    after: JSON.stringify(after.schema),
    created_at: new Date(now),
  });
  await auditPush(tx, author, publicId('und', id), changes, now);
  if (control) await commitOn(control.tx);
  return { ...plan, undoId: publicId('und', id) };
}

/** Collections of this account by how a schema names them: by keys, and by the IDs that they had where it came from. */
function idsByName(
  sent: readonly { id?: string; key?: string | null }[],
  { collections }: Schema,
): Map<string, string> {
  const ids = new Map(collections.flatMap(({ id = '', key }) => (key == null ? [] : [[key, id] as const])));
  for (const { id, key } of sent) {
    const found = key == null ? undefined : ids.get(key);
    if (id !== undefined && found !== undefined) ids.set(id, found);
  }
  return ids;
}

async function auditPush(
  tx: Tx,
  author: Author,
  undoId: string,
  changes: readonly PlacedChange[],
  now: number,
): Promise<void> {
  const after = Object.fromEntries(changes.map(({ path, description }) => [path, description]));
  await audit(tx, author, { action: 'schema.pushed', subject: ['schema', undoId], after }, now);
}

/** Changes with what they lose: each loss belongs to the change of what is lost, or else of what contains it. */
function withLosses({ changes, losses }: Plan, counts: readonly number[]): SchemaChange[] {
  const counted = changes.map((change) => ({ ...change, losesData: losesSecret(change) }));
  for (const [i, { at, collectionId }] of losses.entries()) {
    const count = counts[i] ?? 0;
    if (count === 0) continue;
    const outer = [...at.keys()].map((n) => at.slice(0, at.length - n));
    const change =
      outer.map((each) => counted.find((change) => isDeepStrictEqual(change.at, each))).find((found) => found) ??
      counted.find((change) => change.at[1] === publicId('col', collectionId)) ??
      counted[0];
    if (!change) continue;
    change.losesData = true;
    change.entries += count;
  }
  return counted.map(({ at: _, ...change }) => {
    if (!change.losesData) return change;
    const what = change.type === 'webhook' ? 'its secret is lost' : `${entriesOf(change.entries)} lose data`;
    return { ...change, description: `${change.description}: ${what}` };
  });
}

const entriesOf = (count: number) => `${count} ${count === 1 ? 'entry' : 'entries'}`;

/** @throws ApiError 400 `data_loss` */
function refuseLosses(changes: readonly SchemaChange[]): void {
  const lost = changes.filter(({ losesData }) => losesData);
  if (lost.length === 0) return;
  const how = 'Send "allowDataLoss": true to do it anyway.';
  throw invalid(lost.map(({ description }) => ({ pointer: '', code: 'data_loss', detail: `${description}. ${how}` })));
}

const resultOf = (changes: SchemaChange[], rest: Omit<PushResult, 'changes' | 'losesData'>): PushResult => ({
  changes,
  losesData: changes.some(({ losesData }) => losesData),
  ...rest,
});
