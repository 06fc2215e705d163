import type pg from 'pg';
import { BINARY } from './driver/binary-rows.ts';
import { submit } from './driver/driver.ts';
import { Message, type Statement } from './driver/message.ts';
import type { Tx } from './tx.ts';

/** Named, so that the server parses it once for each connection. */
const named = (text: string): Statement => ({ name: text, text });

/**
 * A transaction on a connection. Statements that are issued in the same turn of the event loop are sent together, the first
 * ones along with its `begin`.
 */
export class OpenTransaction implements Tx {
  readonly isDistributed: boolean;
  readonly #client: pg.PoolClient;
  readonly #types: pg.CustomTypesConfig;
  /** What precedes the first statement. */
  #opening: Statement[];
  #waiting: Statement[] = [];
  readonly #beforeCommit: (texts: readonly string[]) => void;
  readonly #texts: string[] = [];
  #refusal: unknown;
  #isEnding = false;
  #committed: Promise<pg.QueryResult> | undefined;
  /** Then the connection may serve another transaction: later statements of this one are refused. */
  #hasEnded = false;

  /** @param beforeCommit receives the texts of all statements before the commit is sent, and throws if it must not be */
  constructor(
    client: pg.PoolClient,
    types: pg.CustomTypesConfig,
    opening: readonly string[],
    isDistributed: boolean,
    beforeCommit: (texts: readonly string[]) => void,
  ) {
    this.#beforeCommit = beforeCommit;
    this.isDistributed = isDistributed;
    this.last = { isDistributed, query: this.#queryLast };
    this.#client = client;
    this.#types = types;
    this.#opening = opening.map(named);
  }

  readonly query = ((...args: unknown[]) => {
    const statement = this.#statementOf(args);
    if (statement) return this.#send(statement);
    this.#flush();
    return (this.#client.query as (...all: unknown[]) => unknown)(...args);
  }) as Tx['query'];

  /** For the statements that end the transaction: the commit is sent together with them, and their results follow it. */
  readonly last: Tx;

  readonly #queryLast = ((...args: unknown[]) => {
    const statement = this.#statementOf(args);
    if (!statement) throw new Error('only a statement with parameters is sent with a commit');
    this.#isEnding = true;
    return this.#send(statement);
  }) as Tx['query'];

  /** Whether the commit was sent: if its answer does not arrive, the outcome is unknown. */
  get isCommitting(): boolean {
    return this.#committed !== undefined;
  }

  /** Commits, unless `last` did. */
  async commit(): Promise<void> {
    this.#hasEnded = true;
    if (this.#opening.length > 0 && this.#waiting.length === 0) return;
    this.#isEnding = true;
    this.#flush();
    if (this.#refusal !== undefined) throw this.#refusal;
    // If the work swallowed the error of a statement, this is a rollback without an error.
    const result = await this.#committed;
    if (result?.command !== 'COMMIT') throw new Error('the transaction was rolled back at its commit');
  }

  async rollback(): Promise<void> {
    this.#hasEnded = true;
    if (this.#opening.length === 0) await this.#client.query('rollback');
  }

  /** What can be sent in a message with others: not a text of several statements, no stream, and no rows that stay bytes. */
  #statementOf([config, values]: unknown[]): Statement | undefined {
    if (this.#hasEnded || this.#committed) throw new Error('the transaction has ended');
    const given = typeof config === 'string' ? { text: config } : (config as Statement);
    const all = (values as unknown[] | undefined) ?? given.values;
    const isAlone = 'submit' in given || given.rowMode === BINARY || all === undefined;
    this.#texts.push(given.text ?? '');
    return isAlone ? undefined : { types: this.#types, ...given, values: all };
  }

  #send(statement: Statement): Promise<pg.QueryResult> {
    if (this.#waiting.length === 0) queueMicrotask(() => this.#flush());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...statement, resolve, reject });
    });
  }

  #flush(): void {
    if (this.#isEnding && !this.#committed) {
      try {
        this.#beforeCommit(this.#texts);
      } catch (error) {
        this.#refusal = error;
        for (const { reject } of this.#waiting.splice(0)) reject?.(error);
        return;
      }
      this.#committed = this.#send(named('commit'));
      this.#committed.catch(() => {});
    }
    const statements = [...this.#opening.splice(0), ...this.#waiting.splice(0)];
    if (statements.length > 0) submit(this.#client, new Message(statements));
  }
}
