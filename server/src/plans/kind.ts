import { createHash } from 'node:crypto';
import { badRequest } from '../shared/errors.ts';
import type { Preview } from './contract.ts';

/** Calls a route of the API with the rights of whoever asks. @throws ApiError with what the route responds */
export type CallRoute = <Response>(
  request: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Response>;

/** What a plan is made of. */
export interface Draft<Request> {
  /** What is carried out. */
  request: Request;
  preview: Preview;
  /** What the plan depends on: as soon as it differs, the plan is stale. */
  state: string;
}

/** What can be planned, all of it done by routes that exist. `Request` and `Result` are stored as JSON. */
export interface PlanKind<Request, Result> {
  /** What the plan depends on, now; undefined: the request itself names the versions that it expects. */
  readState?(call: CallRoute, request: Request): Promise<string>;
  /** What an attempt that ended in the middle has carried out; without it, `apply` finds that by its key. */
  findResult?(call: CallRoute, request: Request, key: string): Promise<Result | undefined>;
  /** @param key makes a repetition harmless */
  apply(call: CallRoute, request: Request, key: string, now: number): Promise<Result>;
  undo(call: CallRoute, request: Request, result: Result, key: string): Promise<void>;
}

export const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** What an attempt that ended in the middle did is there, but not how to take it back. */
export const notUndoable = () =>
  badRequest('plan_not_undoable', 'The process ended while it applied the plan. Plan the schema as it was.');
