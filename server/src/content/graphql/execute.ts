import { createHash } from 'node:crypto';
import {
  type DocumentNode,
  execute,
  GraphQLError,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
  OperationTypeNode,
  parse,
  Source,
  specifiedRules,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../../shared/errors.ts';
import type { Database } from '../../shared/postgres/database.ts';
import type { SchemaView } from '../collections/collection.ts';
import { STALE } from '../collections/stale.ts';
import type { Delivery } from '../delivery/delivery.ts';
import { publicView } from '../delivery/public-view.ts';
import { type BuiltSchema, buildSchema } from './build-schema.ts';
import type { GraphqlRequest } from './contract.ts';
import { findPublicVersions } from './queries.ts';
import { type Context, MAX_COST } from './resolve.ts';

const MAX_TOKENS = 3_000;
const MAX_ROOT_FIELDS = 20;
const MAX_ATTEMPTS = 5;

export interface GraphqlDeps {
  db: Database;
  cache: SchemaView;
  delivery: Delivery;
}

export interface GraphqlCaller {
  accountId: string;
  requestId: string;
  /** Whether the request may read the schema itself. */
  mayIntrospect: boolean;
}

export interface GraphqlResponse {
  status: 200 | 400;
  body: Buffer;
  /** The collections that it depends on (UUIDs). */
  collectionIds: string[];
}

interface PreparedSchema extends BuiltSchema {
  /** The documents that were validated against it, by their text. */
  documents: LRUCache<string, DocumentNode | { errors: readonly GraphQLError[] }>;
}

/** Runs requests on the schema of what everyone can read. */
export class GraphqlExecutor {
  readonly #deps: GraphqlDeps;
  /** By account and the versions of its collections. */
  readonly #schemas = new LRUCache<string, PreparedSchema>({ max: 50 });
  /** Texts by account and hash, for clients that send only the hash. */
  readonly #persisted = new LRUCache<string, string>({
    maxSize: 20_000_000,
    sizeCalculation: (text) => text.length + 100,
  });

  constructor(deps: GraphqlDeps) {
    this.#deps = deps;
  }

  async run({ accountId, requestId, mayIntrospect }: GraphqlCaller, request: GraphqlRequest): Promise<GraphqlResponse> {
    const failed = (errors: readonly GraphQLError[]) => failure(errors, requestId);
    const query = this.#textOf(accountId, request);
    if (typeof query !== 'string') return failed([query]);
    const prepared = await this.#schemaOf(accountId);
    const document = this.#documentOf(prepared, query, mayIntrospect);
    if ('errors' in document) return failed(document.errors);
    const operation = getOperationAST(document, request.operationName);
    if (!operation) {
      return failed([
        fault('operation_unknown', 'The document has no operation with this name, or several without one.'),
      ]);
    }
    if (operation.operation !== OperationTypeNode.QUERY) {
      return failed([fault('operation_not_allowed', 'GraphQL is read only. Write by the REST API.')]);
    }
    if (operation.selectionSet.selections.length > MAX_ROOT_FIELDS) {
      return failed([fault('query_too_expensive', `A query has at most ${MAX_ROOT_FIELDS} fields at the top.`)]);
    }
    const { registry, schema } = prepared;
    const { delivery } = this.#deps;
    const contextValue: Context = { delivery, accountId, registry, collectionIds: new Set(), budget: MAX_COST };
    const { data, errors = [] } = await execute({
      schema,
      document,
      contextValue,
      variableValues: request.variables ?? {},
      operationName: request.operationName,
    });
    for (const { originalError } of errors) {
      // What is wrong with the service is no answer.
      if (originalError && !(originalError instanceof ApiError) && !(originalError instanceof GraphQLError))
        throw originalError;
      if (originalError instanceof ApiError && originalError.status !== 400) throw originalError;
    }
    const isEmpty = !data || Object.values(data).every((value) => value === null);
    if (errors.length > 0 && isEmpty) return failed(errors);
    const body = Buffer.from(JSON.stringify({ data, ...(errors.length > 0 && { errors: errors.map(describe) }) }));
    return { status: 200, body, collectionIds: [...contextValue.collectionIds] };
  }

  #textOf(accountId: string, { query, extensions }: GraphqlRequest): string | GraphQLError {
    const hash = extensions?.persistedQuery?.sha256Hash;
    if (hash === undefined) return query ?? fault('required', 'Send a "query", or the hash of a persisted one.');
    const name = `${accountId} ${hash}`;
    if (query === undefined) {
      return this.#persisted.get(name) ?? fault('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');
    }
    if (createHash('sha256').update(query).digest('hex') !== hash) {
      return fault('hash_wrong', 'The hash is not the SHA-256 of the query.');
    }
    this.#persisted.set(name, query);
    return query;
  }

  async #schemaOf(accountId: string): Promise<PreparedSchema> {
    const { db, cache } = this.#deps;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const rows = await findPublicVersions(db, { account_id: accountId });
      const name = `${accountId} ${rows.map(({ id, version }) => `${id}.${version}`).join(' ')}`;
      const known = this.#schemas.get(name);
      if (known) return known;
      const loaded = await cache.load(db, accountId, new Map(rows.map(({ id, version }) => [id, version])));
      if (loaded === STALE) continue;
      const views = rows.flatMap(({ id }) => loaded.get(id) ?? []).map(publicView);
      const prepared: PreparedSchema = { ...buildSchema(views), documents: new LRUCache({ max: 500 }) };
      this.#schemas.set(name, prepared);
      return prepared;
    }
    throw new Error('the collections changed every time they were read');
  }

  #documentOf({ schema, documents }: PreparedSchema, text: string, mayIntrospect: boolean) {
    const name = `${mayIntrospect} ${text}`;
    const known = documents.get(name);
    if (known) return known;
    const made = prepare();
    documents.set(name, made);
    return made;

    function prepare(): DocumentNode | { errors: readonly GraphQLError[] } {
      try {
        const document = parse(new Source(text, 'query'), { maxTokens: MAX_TOKENS });
        const rules = mayIntrospect ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
        const errors = validate(schema, document, rules, { maxErrors: 100 });
        return errors.length > 0 ? { errors } : document;
      } catch (error) {
        if (error instanceof GraphQLError) return { errors: [error] };
        throw error;
      }
    }
  }
}

const fault = (code: string, message: string) => new GraphQLError(message, { extensions: { code } });

/** As GraphQL describes errors, and as all others of the service. */
function describe(error: GraphQLError) {
  const { locations, path, originalError, extensions } = error;
  const message = error.message.replace(/^Syntax Error: /, 'The query cannot be parsed: ');
  const name = originalError instanceof ApiError ? originalError.code : String(extensions.code ?? 'query_invalid');
  // Clients look for the codes of GraphQL in capitals in `extensions`.
  const code = name.toLowerCase();
  const faults = originalError instanceof ApiError ? { errors: originalError.errors } : {};
  return {
    message,
    ...(locations && { locations }),
    ...(path && { path }),
    extensions: { ...extensions, ...faults, code: name },
    pointer: '/query',
    code,
    detail: DETAILS[name] ?? message,
  };
}

/** Where clients look for a message that is no sentence. */
const DETAILS: Record<string, string> = {
  PERSISTED_QUERY_NOT_FOUND: 'No query with this hash is known. Send the query with its hash once.',
};

function failure(errors: readonly GraphQLError[], requestId: string): GraphqlResponse {
  const described = errors.map(describe);
  const [first] = described;
  const body = {
    type: `urn:headwater:error:${first?.code}`,
    title: 'Bad Request',
    status: 400,
    detail: first?.detail,
    code: first?.code,
    requestId,
    errors: described,
  };
  return { status: 400, body: Buffer.from(JSON.stringify(body)), collectionIds: [] };
}
