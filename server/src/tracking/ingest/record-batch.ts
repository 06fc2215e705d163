import type { FastifyRequest } from 'fastify';
import { ApiError, badRequest } from '../../shared/errors.ts';
import { toApiError } from '../../shared/http/problem.ts';
import { validatorCompiler } from '../../shared/http/validate.ts';
import { type BatchResponse, EventCheck, type FailedItem, VisitCheck } from './contract.ts';
import type { Ingest, Inside } from './ingest.ts';
import { withoutEmptyProperties } from './read-event.ts';
import { hasCookie, siteOf } from './visitor-cookie.ts';

interface Item {
  visit?: unknown;
  event?: unknown;
}

type Members = Readonly<Record<string, unknown>>;
type Validator = (value: unknown) => { value?: unknown; error?: unknown };

const compile = validatorCompiler();
const checkVisit = compile({ schema: VisitCheck }) as Validator;
const checkEvent = compile({ schema: EventCheck }) as Validator;

/**
 * Records the visits and events of a batch. Each item is validated and gets its result separately. The visits are committed
 * before the events, because events may refer to their sessions.
 */
export async function recordBatch(
  ingest: Ingest,
  request: FastifyRequest,
  items: readonly unknown[],
  sentAt: unknown,
  inside: Inside | undefined,
): Promise<BatchResponse['results']> {
  const results: BatchResponse['results'] = new Array(items.length);
  const record = async (
    member: keyof Item,
    validate: Validator,
    write: (item: Members) => Promise<BatchResponse['results'][number]>,
  ) => {
    await Promise.all(
      items.map(async (item, i) => {
        if (isForget(item)) {
          const site = siteOf(request);
          results[i] = { success: true, hadCookie: hasCookie(request), ...(site !== undefined && { site }) };
          return;
        }
        if (!isItem(item)) {
          results[i] = failedItem(
            badRequest('item_invalid', 'An item must be an object with either `visit`, `event` or `forget`.'),
          );
          return;
        }
        const value = withoutEmptyProperties(item[member]);
        if (isMissing(value)) return;
        const { error } = validate(value);
        results[i] =
          error === undefined
            ? await write(value as Members).catch(failedItem)
            : failedItem(toApiError({ validation: error }));
      }),
    );
  };
  await record('visit', checkVisit, (visit) => ingest.visit(request, visit, sentAt, inside));
  await record('event', checkEvent, (event) => ingest.event(request, event, sentAt, inside));
  return results;
}

/** What is wrong with an item of a batch, if anything is. */
export function checkItem(item: { visit: object } | { event: object }): FailedItem | undefined {
  const isVisit = 'visit' in item;
  const { error } = (isVisit ? checkVisit : checkEvent)(withoutEmptyProperties(isVisit ? item.visit : item.event));
  return error === undefined ? undefined : failedItem(toApiError({ validation: error }));
}

/** Whether it is a visit or an event; what it contains is checked as what it is. */
function isItem(item: unknown): item is Item {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return false;
  const { visit, event } = item as Item;
  return isMissing(visit) !== isMissing(event);
}

/** Whether it withdraws consent. */
export const isForget = (item: unknown): boolean => (item as { forget?: unknown } | null)?.forget === true;

function isMissing(member: unknown): member is null | undefined {
  return member === undefined || member === null;
}

/** @throws any error that is not the item's fault, so that the client retries the batch; the items' ids make that harmless */
function failedItem(error: unknown): FailedItem {
  if (!(error instanceof ApiError) || error.status !== 400) throw error;
  return { success: false, error: error.code, reason: error.errors.map(({ detail }) => detail).join(' ') };
}
