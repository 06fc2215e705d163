/** Records events and conversions of several accounts at a rate from a process of its own, until it is told to stop. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { atEnd } from '../../test/at-end.ts';
import { type Received, send } from '../http-client.ts';

const TICK_MS = 5;
/** As `Retry-After` says; later attempts wait longer, each for a random time, so that they do not come together. */
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 8_000;

export interface LoadedAccount {
  /** The cell. */
  name: string;
  apiKey: string;
  token: string;
  perSecond: number;
}

export interface EventLoadPlan {
  ports: number[];
  accounts: LoadedAccount[];
}

/** Responses of an account, in three arrays of the same length. */
export interface Responses {
  /** When the request was sent, as `Date.now()`. */
  at: number[];
  ms: number[];
  /** 0: the connection was lost. */
  status: number[];
}

export interface AccountLoad {
  responses: Responses;
  /** With an ID of the client, and repeated until acknowledged. */
  named: number;
  /** Without one: the IDs of the acknowledged ones. */
  unnamed: string[];
  /** Without one, and without a definite answer. */
  unknown: number;
  /** Conversions, repeated until acknowledged. */
  orders: number;
  /** What was not 200, and how often. */
  refused: Record<string, number>;
}

export type EventLoadResult = Record<string, AccountLoad>;

/** Starts the load; the function that is returned ends it, once everything that has to be repeated is acknowledged. */
export function startEventLoad(plan: EventLoadPlan): () => Promise<EventLoadResult> {
  const child = fork(import.meta.filename, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  atEnd(() => child.kill('SIGKILL'));
  child.send(plan);
  return async () => {
    const result = once(child, 'message');
    child.send('stop');
    return (await result)[0] as EventLoadResult;
  };
}

/** Of ten requests, six events have an ID, three have none, and one is a conversion. */
const typeOf = (n: number) => (n % 10 === 9 ? 'order' : n % 3 === 2 ? 'unnamed' : 'named');

function run({ ports, accounts }: EventLoadPlan): () => Promise<EventLoadResult> {
  const startedAt = performance.now();
  const underWay = new Set<Promise<void>>();
  const result: EventLoadResult = {};
  let turn = 0;

  function load({ name, apiKey, token, perSecond }: LoadedAccount): () => void {
    const agent = new Agent({ keepAlive: true });
    const responses: Responses = { at: [], ms: [], status: [] };
    const own: AccountLoad = { responses, named: 0, unnamed: [], unknown: 0, orders: 0, refused: {} };
    result[name] = own;

    async function attempt(n: number): Promise<Received | undefined> {
      const isOrder = typeOf(n) === 'order';
      const body = isOrder
        ? { gclid: 'cells', eventId: `order-${n}`, value: 1 }
        : { api_key: apiKey, event: typeOf(n), ...(typeOf(n) === 'named' && { id: `event-${n}` }) };
      const at = Date.now();
      const sentAt = performance.now();
      const response = await send(ports[turn++ % ports.length] as number, {
        method: 'POST',
        agent,
        path: isOrder ? '/v1/analytics/report-conversion' : '/v1/events',
        headers: { 'content-type': 'application/json', ...(isOrder && { 'x-api-key': `Bearer ${token}` }) },
        body: JSON.stringify(body),
      }).catch(() => undefined);
      responses.at.push(at);
      responses.ms.push(performance.now() - sentAt);
      responses.status.push(response?.status ?? 0);
      if (response?.status === 200) return response;
      const after = response && response.headers['retry-after'] === undefined ? ' without Retry-After' : '';
      const what = response ? `${response.status}${after}` : 'connection lost';
      own.refused[what] = (own.refused[what] ?? 0) + 1;
      return undefined;
    }

    async function request(n: number): Promise<void> {
      let response = await attempt(n);
      if (typeOf(n) === 'unnamed') {
        if (response) own.unnamed.push(JSON.parse(response.body.toString()).event_id);
        else own.unknown++;
        return;
      }
      for (let delay = RETRY_MS; !response; delay = Math.min(2 * delay, MAX_RETRY_MS)) {
        await sleep(delay * (1 + Math.random()));
        response = await attempt(n);
      }
      if (typeOf(n) === 'named') own.named++;
      else own.orders++;
    }

    let sent = 0;
    return () => {
      const due = Math.floor(((performance.now() - startedAt) * perSecond) / 1_000);
      while (sent < due) {
        const sending = request(sent++);
        underWay.add(sending);
        void sending.then(() => underWay.delete(sending));
      }
    };
  }

  const loads = accounts.map(load);
  const timer = setInterval(() => {
    for (const sendDue of loads) sendDue();
  }, TICK_MS);
  return async () => {
    clearInterval(timer);
    await Promise.all(underWay);
    return result;
  };
}

if (process.send && process.argv[1] === import.meta.filename) {
  let stop: (() => Promise<EventLoadResult>) | undefined;
  process.once('disconnect', () => process.exit());
  process.on('message', async (message) => {
    if (message !== 'stop') stop = run(message as EventLoadPlan);
    else process.send?.(await stop?.(), () => process.exit());
  });
}
