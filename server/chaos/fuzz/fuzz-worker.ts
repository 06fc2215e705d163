import fc from 'fast-check';
import { type Furnished, furnish } from '../../test/furnished-account.ts';
import type { ServiceUnderTest } from '../../test/harness.ts';
import type { TestUser } from '../../test/users.ts';
import { type Received, send } from '../http-client.ts';
import { joinService } from '../monitored-service.ts';
import { faultOf } from './check-response.ts';
import { type Operation, readOperations } from './operations.ts';
import {
  type FuzzedRequest,
  goodRequest,
  inOrder,
  isDestructive,
  requestsFor,
  type Seeded,
  shareOf,
} from './requests.ts';
import { type Seed, seedOf } from './seeds.ts';
import { Seen } from './seen.ts';

export interface FuzzPlan {
  port: number;
  dataDir: string;
  /** Who operates the service. */
  operator: TestUser;
  seed: number;
  requests: number;
  concurrency: number;
  /** Requests of each operation, before the accounts are made anew. */
  perRound: number;
}

export interface FuzzResult {
  requests: number;
  statuses: Record<string, number>;
  /** Operations without a single success. */
  neverSucceeded: string[];
  operations: number;
  /** Milliseconds. */
  slowest: number;
  /** Replies after more than 2 s. */
  late: number;
  /** What was wrong, with the request, each kind once. */
  faults: string[];
}

const MAX_FAULTS = 30;
const MAX_MS = 2_000;
export const LATE = 'a reply after more than 2 s';

/** Sends requests until there were so many. The same seed makes the same requests, but for the ids of the accounts. */
export async function sendFuzz(
  service: ServiceUnderTest,
  { port, operator, seed, requests, concurrency, perRound }: Omit<FuzzPlan, 'dataDir'>,
): Promise<FuzzResult> {
  const operations = readOperations();
  const result: FuzzResult = {
    requests: 0,
    operations: operations.length,
    statuses: {},
    neverSucceeded: [],
    slowest: 0,
    late: 0,
    faults: [],
  };
  const succeeded = new Set<string>();
  const known = new Set<string>();
  const seen = new Seen();
  await sendGoodOnes();

  for (let round = 0; result.requests < requests; round++) {
    const name = `${seed}-${round}`;
    const mine = await newSeeded(`mine-${name}`);
    const theirs = await newSeeded(`theirs-${name}`);
    const requestsOf = (chosen: Operation[]) => planRequests(chosen, mine, theirs, seen, perRound, seed + round);
    // In every other round, what takes things away comes last, so that the rest finds something.
    const isSorted = round % 2 === 0;
    const plan = isSorted
      ? [operations.filter((each) => !isDestructive(each)), operations.filter(isDestructive)]
      : [operations];
    for (const chosen of plan) {
      const queue = requestsOf(chosen);
      const callers = Array.from({ length: concurrency }, async () => {
        for (const request of queue) {
          if (result.requests >= requests) return;
          result.requests++;
          await sendOne(request, theirs.account, `--seed=${seed}, round ${round}`);
        }
      });
      await Promise.all(callers);
    }
  }
  result.neverSucceeded = operations.map((each) => each.name).filter((each) => !succeeded.has(each));
  return result;

  /** One valid request of each operation; those that failed after what others did are sent in an account of their own. */
  async function sendGoodOnes(): Promise<void> {
    const sorted = inOrder(operations);
    for (const attempt of [1, 2]) {
      const account = await furnish(service, `good-${seed}-${attempt}`);
      for (const operation of sorted.filter(({ name }) => !succeeded.has(name))) {
        // What earlier ones took away may be needed to make it.
        const good = await seedOf(operation, { service, mine: account, operator }).catch((error: Error) => {
          if (attempt === 2) throw error;
        });
        if (!good) continue;
        result.requests++;
        await sendOne(goodRequest(operation, account, good), undefined, `--seed=${seed}, valid requests`);
      }
    }
  }

  async function newSeeded(name: string): Promise<Seeded> {
    const account = await furnish(service, name);
    const seeds = new Map<string, Seed>();
    for (const operation of operations) {
      const found = await seedOf(operation, { service, mine: account, operator });
      if (found) seeds.set(operation.name, found);
    }
    return { account, seeds };
  }

  async function sendOne(request: FuzzedRequest, theirs: Furnished | undefined, origin: string): Promise<void> {
    const { method, url, headers, payload, operation } = request;
    let response: Received | undefined;
    let fault: string | undefined;
    let ms = 0;
    try {
      // On a busy machine any reply can be late: late is what is so each time.
      for (let attempt = 1; attempt === 1 || (ms > MAX_MS && attempt <= 3); attempt++) {
        const start = performance.now();
        response = await send(port, { method, path: url, headers, body: payload });
        ms = performance.now() - start;
        if (ms > MAX_MS) result.late++;
        result.slowest = Math.max(result.slowest, ms);
      }
      if (!response) return;
      fault = faultOf(request, response, theirs && seesOnly(request, theirs) ? [theirs.marker] : []);
      result.statuses[response.status] = (result.statuses[response.status] ?? 0) + 1;
      if (response.status === 200) {
        succeeded.add(operation.name);
        seen.collect(response.body);
      }
    } catch (error) {
      fault = `no response: ${(error as Error).message}`;
    }
    const text = `${method} ${url} ${JSON.stringify(headers)} ${payload?.toString('latin1').slice(0, 2_000) ?? ''}`;
    if (ms > MAX_MS) fault ??= LATE;
    if (fault === undefined) return;
    const kind = `${operation.name}: ${fault}`;
    if (known.has(kind) || result.faults.length >= MAX_FAULTS) return;
    known.add(kind);
    const answer = response && `${response.status} ${String(response.body).slice(0, 1_000)}`;
    result.faults.push(`${kind} (${origin}, ${Math.round(ms)} ms)\n  ${text}\n  ${answer}`);
  }
}

/** Whether the response is about one account alone, which is not the other one. Who signs in with the password of a user is that user. */
const seesOnly = ({ caller, url, method, payload }: FuzzedRequest, theirs: Furnished) =>
  caller !== 'other' &&
  !url.startsWith('/operator/') &&
  !(method === 'POST' && url === '/auth/sign-in' && payload?.includes(theirs.marker));

/** Requests for all operations, one that succeeds and random ones, made one by one as they are sent, in random order. */
function* planRequests(
  operations: readonly Operation[],
  mine: Seeded,
  theirs: Seeded,
  seen: Seen,
  perRound: number,
  seed: number,
): Generator<FuzzedRequest> {
  const queues = operations.map((operation, i) => {
    const [requests] = fc.sample(fc.infiniteStream(requestsFor(operation, mine, theirs, seen)), {
      seed: seed * 1_000 + i,
      numRuns: 1,
    });
    const good = mine.seeds.get(operation.name);
    return { first: good && goodRequest(operation, mine.account, good), left: shareOf(operation, perRound), requests };
  });
  const [numbers] = fc.sample(fc.infiniteStream(fc.nat(2 ** 30)), { seed, numRuns: 1 });
  while (queues.length > 0) {
    const at = Number(numbers?.next().value) % queues.length;
    const queue = queues[at];
    if (queue === undefined || queue.left-- <= 0) {
      queues.splice(at, 1);
    } else {
      yield queue.first ?? (queue.requests?.next().value as FuzzedRequest);
      queue.first = undefined;
    }
  }
}

if (process.send && process.argv[1] === import.meta.filename) {
  process.once('message', async (plan: FuzzPlan) => {
    const service = joinService(plan.port, plan.dataDir);
    process.send?.(await sendFuzz(service, plan));
    process.exit();
  });
}
