import { isDeepStrictEqual } from 'node:util';
import { type Static, Type } from 'typebox';
import type { Deps } from '../shared/deps.ts';
import { ApiError, type Fault } from '../shared/errors.ts';
import { STRICT } from '../shared/http/schemas.ts';
import { FIRST_ID } from '../shared/ids.ts';
import { connectPolicy } from '../shared/outbound/connect-policy.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { NewWebhook, type Webhook } from './contract.ts';
import { createWebhook } from './endpoints/create-webhook.ts';
import { listEndpoints } from './endpoints/queries.ts';
import { WebhookSecrets } from './endpoints/secrets.ts';
import { serializeWebhook } from './endpoints/serialize.ts';
import { deleteWebhook, updateWebhook } from './endpoints/update-webhook.ts';
import { LIMITS } from './limits.ts';

/** A webhook as a schema file has it, without its secret. What is absent has its default. */
export const SchemaWebhook = Type.Object(
  {
    ...NewWebhook.properties,
    id: Type.Optional(
      Type.String({
        description: 'Names the webhook. One that this account does not have is found by its `url`, or else made.',
      }),
    ),
    status: Type.Optional(Type.Enum(['active', 'disabled'])),
  },
  { ...STRICT, title: 'SchemaWebhook' },
);
export type SchemaWebhook = Static<typeof SchemaWebhook>;

/** The webhooks of an account, oldest first. @param nameOf the name of a collection by its ID */
export async function readWebhookSchema(
  tx: Tx,
  accountId: string,
  nameOf: (collectionId: string) => string,
): Promise<SchemaWebhook[]> {
  return (await listWebhooks(tx, accountId)).map((webhook) => definitionOf(webhook, nameOf));
}

async function listWebhooks(tx: Tx, account_id: string): Promise<Webhook[]> {
  const rows = await listEndpoints(tx, {
    role_id: null,
    maker_id: null,
    account_id,
    after: FIRST_ID,
    limit: LIMITS.webhooks,
  });
  return rows.map((row) => serializeWebhook(row, 0));
}

type Topics = NonNullable<SchemaWebhook['events']>;
type Either = Omit<SchemaWebhook, 'events' | 'status'> & { events?: readonly string[] | null; status?: string };

function definitionOf(sent: Either, nameOf: (collectionId: string) => string): SchemaWebhook {
  const { id, url, events, collectionIds, payload, fields, ordering, filters, ed25519, description, status } = sent;
  return {
    ...(id !== undefined && { id }),
    url,
    ...(events != null && { events: events as Topics }),
    ...(collectionIds != null && { collectionIds: collectionIds.map(nameOf) }),
    ...(payload === 'thin' && { payload }),
    ...(fields != null && { fields }),
    ...(ordering === 'resource' && { ordering }),
    ...(filters != null && { filters }),
    ...(ed25519 && { ed25519 }),
    ...(description != null && { description }),
    ...(status === 'disabled' && { status }),
  };
}

/**
 * Makes the webhooks of an account what a schema says; returns the faults, by pointers into it.
 * @param idOf the ID of a collection by its name in the schema
 */
export async function applyWebhookSchema(
  deps: Pick<Deps, 'vault' | 'config'>,
  tx: Tx,
  accountId: string,
  sent: readonly SchemaWebhook[],
  idOf: (collection: string) => string,
  now: number,
): Promise<Fault[]> {
  const secrets = new WebhookSecrets(deps.vault);
  const mayConnect = connectPolicy(deps.config.webhookAllowCidrs);
  const stored = await listWebhooks(tx, accountId);
  const named = new Set(sent.map(({ id }) => id));
  const free = stored.filter(({ id }) => !named.has(id));
  const faults: Fault[] = [];
  const attempt = async (pointer: string, work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 400) throw error;
      faults.push(...error.errors.map((each) => ({ ...each, pointer: pointer + each.pointer })));
    }
  };
  const kept = new Set<string>();
  for (const [i, each] of sent.entries()) {
    const pointer = `/webhooks/${i}`;
    const known =
      stored.find(({ id }) => id === each.id) ?? free.find(({ id, url }) => url === each.url && !kept.has(id));
    const { id: _, ...wanted } = definitionOf(each, idOf);
    if (!known) {
      await attempt(pointer, async () => {
        const { status, ...values } = wanted;
        const created = await createWebhook(tx, secrets, mayConnect, accountId, values, now);
        if (status) await updateWebhook(tx, secrets, mayConnect, accountId, created.id, { status }, now);
      });
      continue;
    }
    if (kept.has(known.id)) faults.push({ pointer, code: 'duplicate', detail: 'The webhook is defined twice.' });
    kept.add(known.id);
    const before = definitionOf(known, idOf);
    if (isDeepStrictEqual(before, { id: known.id, ...wanted })) continue;
    const change = { ...DEFAULTS, ...wanted };
    await attempt(pointer, () => updateWebhook(tx, secrets, mayConnect, accountId, known.id, change, now));
  }
  for (const { id } of stored) if (!kept.has(id)) await deleteWebhook(tx, accountId, id, now);
  return faults;
}

const DEFAULTS = {
  events: null,
  collectionIds: null,
  payload: 'full',
  fields: null,
  ordering: 'none',
  filters: null,
  ed25519: false,
  description: null,
  status: 'active',
} as const;
