import type pg from 'pg';
import { type Connection, Query, submit } from './driver.ts';

export interface Statement extends pg.QueryConfig {
  rowMode?: string;
  resolve?: (result: pg.QueryResult) => void;
  reject?: (error: unknown) => void;
}

/**
 * Statements that are sent to the server together: one message and one answer, which costs both sides less than several, and
 * no time in between. The server executes them in order; the first that fails ends the message, and all of them fail with its error.
 * To the driver it is one query.
 */
export class Message {
  readonly #queries: Query[];
  /** Statements whose text was sent and that the server has yet to parse. */
  #parsing: Query[] = [];
  #current = 0;
  #error: Error | undefined;
  #stopListening = (): void => {};

  constructor(statements: readonly Statement[]) {
    this.#queries = statements.map(
      ({ resolve, reject, ...config }) =>
        new Query({ ...config, queryMode: 'extended' }, undefined, (error, result) => {
          if (error === undefined || error === null) return resolve?.(result);
          this.#error ??= error;
          reject?.(this.#error);
        }),
    );
  }

  /** Called by the driver, like the rest. */
  submit(connection: Connection): null {
    const parsed = () => this.#onParsed(connection);
    // The server answers up to the only sync message.
    const unsynced = Object.create(connection, { sync: { value: () => {} } }) as Connection;
    const { stream } = connection;
    stream.cork();
    for (const query of this.#queries) {
      const isParsed = query.hasBeenParsed(connection);
      const error = query.submit(unsynced);
      if (error !== null) query.handleError(error, connection);
      // A value that cannot be sent: the statements before it fail, too, as what would have followed is missing.
      if (this.#error) {
        if (query.name !== undefined) delete connection.submittedNamedStatements[query.name];
        break;
      }
      if (!isParsed) this.#parsing.push(query);
    }
    connection.sync();
    stream.uncork();
    if (this.#parsing.length > 0) connection.on('parseComplete', parsed);
    this.#stopListening = () => connection.off('parseComplete', parsed);
    return null;
  }

  #onParsed(connection: Connection): void {
    const { name, text } = this.#parsing.shift() ?? {};
    if (this.#parsing.length === 0) this.#stopListening();
    if (name === undefined || text === undefined) return;
    connection.parsedStatements[name] = text;
    delete connection.submittedNamedStatements[name];
  }

  handleRowDescription(message: unknown): void {
    this.#queries[this.#current]?.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.#queries[this.#current]?.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: Connection): void {
    this.#queries[this.#current++]?.handleCommandComplete(message, connection);
  }

  handleEmptyQuery(connection: Connection): void {
    this.#queries[this.#current++]?.handleEmptyQuery(connection);
  }

  handleError(error: Error, connection: Connection): void {
    this.#stopListening();
    for (const { name } of this.#parsing) if (name !== undefined) delete connection.submittedNamedStatements[name];
    for (const query of this.#queries) query.handleError(error, connection);
  }

  handleReadyForQuery(connection: Connection): void {
    if (this.#error) this.handleError(this.#error, connection);
    else for (const query of this.#queries) query.handleReadyForQuery(connection);
  }
}

/** Sends statements together on a connection that nothing else uses. @returns their results */
export function sendTogether(client: pg.ClientBase, statements: readonly pg.QueryConfig[]): Promise<pg.QueryResult[]> {
  if (statements.length === 0) return Promise.resolve([]);
  const results = statements.map((statement) => ({ statement, ...Promise.withResolvers<pg.QueryResult>() }));
  const sent = results.map(({ statement, resolve, reject }) => ({ ...statement, resolve, reject }));
  submit(client, new Message(sent));
  return Promise.all(results.map(({ promise }) => promise));
}
