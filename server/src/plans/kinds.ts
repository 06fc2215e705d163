import type { PlanKind } from './kind.ts';
import { conversionsKind } from './plan-conversions.ts';
import { entriesKind } from './plan-entries.ts';
import { schemaKind } from './plan-schema.ts';

/** What can be planned. The requests and results that are stored are those of the kind. */
export const KINDS = { entries: entriesKind, conversions: conversionsKind, schema: schemaKind };
export type KindName = keyof typeof KINDS;

export const kindOf = (name: KindName): PlanKind<unknown, unknown> => KINDS[name] as PlanKind<unknown, unknown>;
