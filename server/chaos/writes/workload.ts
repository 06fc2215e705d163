import type pg from 'pg';
import type { ServiceProcess } from '../../test/service-process.ts';
import { type Finding, finding } from '../proof.ts';
import { type Reply, type SendOptions, send } from '../support.ts';

/** The account that a workload uses. */
export interface Keys {
  token: string;
  apiKey: string;
}

/** Clients that send requests while processes are killed, and that check afterwards what is stored. */
export interface Workload {
  name: string;
  /** Sends one request and returns its status. @throws if the connection is lost */
  step(service: ServiceProcess, client: number): Promise<number>;
  /** Whether something that takes several requests was acknowledged to its end. */
  hasEnded?(): boolean;
  /** Compares with the database, after the service has stopped. */
  check(db: pg.Client): Promise<Finding[]>;
}

/** A request that has not been acknowledged. It is sent again with the same key until it is. */
interface Pending {
  name: string;
  request: string;
  options: SendOptions;
}

/**
 * Sends requests that may be repeated. Each client has at most one whose outcome is unknown, and repeats it, also after the
 * service was started again, until it is acknowledged.
 */
export class RepeatingClients {
  readonly #pending = new Map<number, Pending>();
  readonly #make: (client: number, n: number) => Pending;
  readonly #onAcknowledged: (name: string, reply: Reply) => void;
  #made = 0;

  /** @param make the n-th request, with a name of its own */
  constructor(make: (client: number, n: number) => Pending, onAcknowledged: (name: string, reply: Reply) => void) {
    this.#make = make;
    this.#onAcknowledged = onAcknowledged;
  }

  /** Names of requests whose outcome is unknown. */
  get unknown(): string[] {
    return [...this.#pending.values()].map(({ name }) => name);
  }

  async step(service: ServiceProcess, client: number): Promise<number> {
    const pending = this.#pending.get(client) ?? this.#make(client, this.#made++);
    this.#pending.set(client, pending);
    const reply = await send(service, pending.request, pending.options);
    if (reply.status === 200) {
      this.#pending.delete(client);
      this.#onAcknowledged(pending.name, reply);
    }
    return reply.status;
  }
}

/** Whether what was acknowledged is stored once, and nothing else but what is unknown. */
export function storedOnce(
  what: string,
  acknowledged: ReadonlySet<string>,
  unknown: readonly string[],
  stored: readonly string[],
): Finding {
  const counts = new Map<string, number>();
  for (const name of stored) counts.set(name, (counts.get(name) ?? 0) + 1);
  const lost = [...acknowledged].filter((name) => !counts.has(name));
  const doubled = [...counts].flatMap(([name, count]) => (count > 1 ? name : []));
  const unexpected = [...counts.keys()].filter((name) => !acknowledged.has(name) && !unknown.includes(name));
  const wrong = [...lost, ...doubled, ...unexpected];
  const figure = `${acknowledged.size} acknowledged, ${lost.length} lost, ${doubled.length} doubled`;
  const more = wrong.length === 0 ? '' : `, ${unexpected.length} unexpected (${wrong.slice(0, 3).join(', ')})`;
  return finding(`acknowledged ${what} are stored once`, figure + more, acknowledged.size > 0 && wrong.length === 0);
}

export async function column(db: pg.Client, sql: string): Promise<string[]> {
  return (await db.query({ text: sql, rowMode: 'array' })).rows.flat();
}
