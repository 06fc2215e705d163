import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from './deps.ts';
import type { Listener } from './postgres/listener.ts';
import { VERSION } from './version.ts';

const CHANNEL = 'headwater_processes';
const HELLO_MS = 1_000;
/** A process that was not heard of for this long is gone, or cut off. */
const TTL_MS = 3_500;
const SETTLE_MS = 300;
/** While it is alone, a process looks for others after 1, 2, 4, … seconds, and at least this often. */
const MAX_SILENCE = 300;

interface Hello {
  id: string;
  /** Where other processes reach it; undefined: nowhere. */
  url?: string | undefined;
  version: string;
  /** Others shall introduce themselves. */
  isNew?: boolean;
  isLeaving?: boolean;
}

/**
 * The other live processes of this installation. Each notifies all of itself once a second through the control database, as long
 * as there are others. A process that cannot listen knows of none.
 */
export class Peers implements Worker {
  readonly id: string = randomUUID();
  readonly #listener: Pick<Listener, 'notify'>;
  readonly #url: () => string | undefined;
  readonly #version: string;
  readonly #others = new Map<string, { url: string | undefined; seenAt: number }>();
  #timer: NodeJS.Timeout | undefined;
  #ticks = 0;

  /**
   * @param listener of the control database, before it is started
   * @param url where others reach this process, once it listens
   */
  constructor(
    listener: Pick<Listener, 'notify' | 'subscribe' | 'onInterruption'>,
    url: () => string | undefined = () => undefined,
    version = VERSION,
  ) {
    this.#listener = listener;
    this.#url = url;
    this.#version = version;
    listener.subscribe(CHANNEL, (payload) => this.#receive(JSON.parse(payload) as Hello));
    listener.onInterruption(() => {
      this.#others.clear();
      this.#ticks = 0;
      if (this.#timer) this.#say({ isNew: true });
    });
  }

  /** Live processes, including this one; 1 while it is cut off. */
  get count(): number {
    return this.#others.size + 1;
  }

  /** The other processes that can be reached. One of another version may mean something else by a request. */
  reachable(): { id: string; url: string }[] {
    return [...this.#others].flatMap(([id, { url }]) => (url === undefined ? [] : { id, url }));
  }

  /** Resolves when those that were live at the start of this process have responded. */
  async settled(): Promise<void> {
    await sleep(SETTLE_MS, undefined, { ref: false });
  }

  start(): void {
    this.#timer = setInterval(() => this.#tick(), HELLO_MS).unref();
    this.#say({ isNew: true });
  }

  async stop(): Promise<void> {
    if (!this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#others.clear();
    this.#say({ isLeaving: true });
  }

  #tick(): void {
    const before = performance.now() - TTL_MS;
    for (const [id, { seenAt }] of this.#others) if (seenAt < before) this.#others.delete(id);
    this.#ticks++;
    const isAlone = this.#others.size === 0;
    // A notification is written to the log of the database, which need not grow while nothing happens.
    const isDue = Number.isInteger(Math.log2(this.#ticks)) || this.#ticks % MAX_SILENCE === 0;
    if (!isAlone || isDue) this.#say({ isNew: isAlone });
  }

  #say(hello: Omit<Hello, 'id' | 'url' | 'version'>): void {
    const all: Hello = { id: this.id, url: this.#url(), version: this.#version, ...hello };
    this.#listener.notify(CHANNEL, JSON.stringify(all));
  }

  #receive({ id, url, version, isNew, isLeaving }: Hello): void {
    if (id === this.id || !this.#timer) return;
    if (isLeaving) {
      this.#others.delete(id);
      return;
    }
    this.#others.set(id, { url: version === this.#version ? url : undefined, seenAt: performance.now() });
    if (isNew) this.#say({});
  }
}
