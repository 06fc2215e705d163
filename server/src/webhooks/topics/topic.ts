import type { TObject } from 'typebox';
import type { Deps } from '../../shared/deps.ts';
import type { Tx } from '../../shared/postgres/database.ts';

/** The topics a webhook can subscribe to. */
export const TOPICS = [
  'event.recorded',
  'lead.created',
  'lead.updated',
  'conversion.reported',
  'conversion.restated',
  'conversion.matched',
  'entry.created',
  'entry.updated',
  'entry.deleted',
  'entry.published',
  'entry.unpublished',
  'release.completed',
  'release.failed',
  'job.completed',
  'job.failed',
  'destination.failing',
  'cost_source.failing',
  'alert.opened',
  'alert.resolved',
] as const;

/** Sent only by `POST /v1/webhooks/{id}/test`. */
export const TEST_TOPIC = 'webhook.test';

export const ALL_TOPICS = [...TOPICS, TEST_TOPIC] as const;
export type Topic = (typeof ALL_TOPICS)[number];

/** One change of one resource, taken from the outbox. */
export interface Change {
  accountId: string;
  topic: Topic;
  /** UUID of the resource. */
  id: string;
  sequence: number;
  /** What the module stored in the outbox for this change, if anything. */
  data: unknown;
  at: string;
}

/** The payload of a change, without the sessions it refers to: those of all topics are read together. */
export interface Draft {
  change: Change;
  data: object;
  /** Numbers of sessions, by the member of `data` that receives them. */
  sessions?: Record<string, number | null>;
  leadId?: string | null;
}

/** Reads the payloads of changes, in one query. Omits resources that no longer exist. */
export type LoadDrafts = (deps: Deps, tx: Tx, changes: readonly Change[]) => Promise<Draft[]>;

/** A topic plug-in; see `registry.ts`. */
export interface TopicDefinition {
  /** Shown in the API reference. */
  summary: string;
  /** Schema of `data`. */
  data: TObject;
  /** An example of `data`. */
  example: Record<string, unknown>;
  /** Topics that share this function are read together. Null: never in the outbox. */
  load: LoadDrafts | null;
}

/** The definitions of some topics; `registry.ts` checks that every topic has one. */
export type TopicDefinitions = Partial<Record<Topic, TopicDefinition>>;
