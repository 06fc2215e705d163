import type { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import pg from 'pg';

/**
 * What this folder uses of `pg` beyond what the driver declares, which any release of it may change: its version is exact in
 * `package.json`, and `driver.test.ts` names what a newer one lacks.
 */

/** A connection, which sends messages of the protocol and emits those that arrive. */
export interface Connection extends EventEmitter {
  readonly stream: Duplex;
  /** The texts of the named statements that the server has parsed, and of those that were sent to it. */
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
  query(text: string): void;
  sync(): void;
  /** Parses what a stream emits. */
  attachListeners(stream: EventEmitter): void;
}

/** A query, which writes one statement and reads its result: the client calls these methods, also of other objects. */
export interface Query {
  readonly name: string | undefined;
  readonly text: string;
  submit(connection: Connection): Error | null;
  hasBeenParsed(connection: Connection): unknown;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  handleEmptyQuery(connection: Connection): void;
  handleError(error: Error, connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
}

export interface QueryConfig extends pg.QueryConfig {
  /** Values of results as the server has them. */
  binary?: boolean;
  /** `extended`: a statement without values is not sent as a message of its own, with an answer of its own. */
  queryMode?: 'extended';
}

type Done = (error: Error | null | undefined, result: pg.QueryResult) => void;

export const Query: new (config: QueryConfig, values: undefined, done: Done) => Query = pg.Query as never;

export const connectionOf = (client: pg.ClientBase) =>
  (client as pg.ClientBase & { connection: Connection }).connection;

/** Has the client send a query of our own, and call it for what arrives. */
export function submit(client: pg.ClientBase, query: { submit(connection: Connection): unknown }): void {
  client.query(query as never);
}
