import type { FastifyRequest } from 'fastify';
import { ApiError } from '../shared/errors.ts';
import { toApiError } from '../shared/http/problem.ts';
import { validatorCompiler } from '../shared/http/validate.ts';
import {
  type BatchAnswer,
  type EventItem,
  EventItem as EventSchema,
  type Refused,
  type VisitItem,
  VisitItem as VisitSchema,
} from './contract.ts';
import type { Ingest, Inside } from './ingest.ts';

interface Item {
  visit?: unknown;
  event?: unknown;
}

type Validator = ((value: unknown) => boolean) & { errors?: unknown };

const compile = validatorCompiler();
const isVisit = compile({ schema: VisitSchema }) as Validator;
const isEvent = compile({ schema: EventSchema }) as Validator;

/**
 * Records what a page gathered. Each item is judged and answered by itself; the visits are committed before the events,
 * which may name their sessions.
 */
export async function recordBatch(
  ingest: Ingest,
  request: FastifyRequest,
  items: readonly unknown[],
  sentAt: string | undefined,
  inside: Inside | undefined,
): Promise<BatchAnswer['results']> {
  const results: BatchAnswer['results'] = new Array(items.length);
  const record = async <T>(
    member: 'visit' | 'event',
    validate: Validator,
    write: (item: T) => Promise<BatchAnswer['results'][number]>,
  ) => {
    await Promise.all(
      items.map(async (item, i) => {
        const value = (item as Item)[member];
        if (value === undefined) return;
        results[i] = validate(value)
          ? await write(value as T).catch(refused)
          : refused(toApiError({ validation: validate.errors }));
      }),
    );
  };
  await record<VisitItem>('visit', isVisit, (visit) => ingest.visit(request, visit, sentAt, inside));
  await record<EventItem>('event', isEvent, (event) => ingest.event(request, event, sentAt, inside));
  return results;
}

/** @throws what is not about the item, so that the sender tries all of it again (the ids in it make that harmless) */
function refused(error: unknown): Refused {
  if (!(error instanceof ApiError) || error.status !== 400) throw error;
  const [first] = error.errors;
  const reason = error.errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; ');
  return { success: false, error: first?.code ?? error.code, reason: reason || error.message };
}
