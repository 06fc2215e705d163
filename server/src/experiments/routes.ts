import type { FastifyRequest } from 'fastify';
import { readsEverything } from '../accounts/index.ts';
import type { Variations } from '../content/index.ts';
import { audit, authorOf } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import { badRequest, type Fault, invalid, notFound, refuse } from '../shared/errors.ts';
import { idempotently } from '../shared/http/idempotency.ts';
import { pageById } from '../shared/http/keyset-page.ts';
import { openToBrowsers } from '../shared/http/open-to-browsers.ts';
import { routesOf } from '../shared/http/routes.ts';
import { type App, inScope } from '../shared/http/server.ts';
import { newUuid, parseId, publicId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { assign } from './assign.ts';
import {
  Assignment,
  AssignmentQuery,
  type Definition,
  EmptyBody,
  Experiment,
  ExperimentChange,
  ExperimentPage,
  ExperimentPath,
  ExperimentsQuery,
  KeyQuery,
  NewExperiment,
  RunningExperiments,
  ShipBody,
} from './contract.ts';
import {
  accountFaults,
  assignedOf,
  changedDefinition,
  coverageFaults,
  definitionFaults,
  definitionOf,
  frozenFaults,
  overlapFaults,
  precedingOf,
  serializeExperiment,
  valuesFor,
  variedEntries,
} from './experiment.ts';
import { getPower } from './get-power.ts';
import { LIMITS } from './limits.ts';
import {
  countExperiments,
  type ExperimentRow,
  findByKey,
  findExperiment,
  findServed,
  insertExperiment,
  listExperiments,
  lockExperiment,
  lockStarts,
  updateExperiment,
} from './queries.ts';
import { getResults } from './results.ts';
import { ExperimentPower, ExperimentResults, PowerQuery, ResultsQuery } from './results-contract.ts';
import { assigning, shownEntries } from './served-variants.ts';

type Change = Partial<Omit<ExperimentRow, 'id' | 'created_at' | 'updated_at'>>;

/** `/v1/experiments`. */
export function experimentRoutes(app: App, deps: Deps, variations: Variations): void {
  const { db, clock, pageTokens } = deps;
  const about = { tags: ['Experiments'], security: [{ token: [] }] };
  const read = { access: 'secret', rate: 'read' } as const;
  const write = { access: 'secret', role: 'editor', rate: 'write' } as const;

  const find = async (account_id: string, experimentId: string): Promise<ExperimentRow> => {
    const id = parseId('exp', experimentId);
    const [row] = id === undefined ? [] : await findExperiment(db, { account_id, id });
    if (!row) throw notFound('experiment');
    return row;
  };

  /** Changes one experiment, which is locked, in a transaction. */
  const change = (
    request: FastifyRequest,
    experimentId: string,
    action: string,
    decide: (tx: Tx, row: ExperimentRow, accountId: string) => Promise<Change>,
  ): Promise<Experiment> => {
    const { accountId: account_id } = request.caller;
    return idempotently(db, request, account_id, async (tx) => {
      const id = parseId('exp', experimentId);
      if (action === 'experiment.started' || action === 'experiment.changed') await lockStarts(tx, { account_id });
      const [before] = id === undefined ? [] : await lockExperiment(tx, { account_id, id });
      if (!before) throw notFound('experiment');
      const next = { ...before, ...(await decide(tx, before, account_id)) };
      const { key, definition, preceding } = next;
      if (key !== before.key) await refuseTaken(tx, account_id, key);
      const now = clock();
      const [after] = await updateExperiment(tx, {
        ...{ account_id, id: before.id, key, status: next.status, shipped_variant: next.shipped_variant },
        ...{ started_at: next.started_at, stopped_at: next.stopped_at, shipped_at: next.shipped_at },
        ...{
          release_id: next.release_id,
          before: next.before && JSON.stringify(next.before),
          is_served: isServed(next),
        },
        definition: JSON.stringify(definition),
        preceding: JSON.stringify(preceding),
        now: new Date(now),
      });
      if (!after) throw notFound('experiment');
      if (isServed(before) || isServed(after)) {
        const collections = after.definition.content.map(({ collectionId }) => collectionId);
        await variations.announce(tx, account_id, collections);
        await variations.recordShown(tx, request.caller, after.id, isServed(after) ? shownEntries(after) : []);
      }
      const subject = ['experiment', publicId('exp', after.id)] as const;
      await audit(tx, authorOf(request), { action, subject, before: stateOf(before), after: stateOf(after) }, now);
      return shownTo(request.caller, after);
    });
  };

  /** The definition with the IDs of collections that are named by key. */
  const withIds = async <Sent extends { content?: Definition['content'] }>(tx: Tx, accountId: string, sent: Sent) => {
    if (!sent.content) return sent;
    const ids = await variations.collectionIds(
      tx,
      accountId,
      sent.content.map(({ collectionId }) => collectionId),
    );
    return {
      ...sent,
      content: sent.content.map((each) => ({ ...each, collectionId: ids.get(each.collectionId) ?? each.collectionId })),
    };
  };

  /** Everything that is wrong with a definition. */
  const faultsOf = async (tx: Tx, caller: FastifyRequest['caller'], sent: NewExperiment, isStarted: boolean) => {
    const own = definitionFaults(sent);
    const { content, variants, namespace } = definitionOf(sent);
    // Values that are not clearly those of an entry are not checked any further.
    const entries = own.length === 0 ? variedEntries({ content, variants }) : [];
    return [
      ...own,
      ...(await accountFaults(tx, caller.accountId, sent)),
      ...(await variations.findFaults(tx, caller, entries, isStarted)),
      ...(await overlapFaults(tx, caller.accountId, { content, namespace })),
    ];
  };

  inScope(app, (scope) => {
    const url = '/v1/experiments/running';
    openToBrowsers(scope, [url]);
    routesOf(scope, { ...about, security: [{ publishableKey: [] }, { publishableHeader: [] }] }).get(url, {
      config: { access: 'publishable', rate: 'delivery' },
      operationId: 'listRunningExperiments',
      summary: 'List what visitors are assigned by',
      description:
        'The running experiments, and shipped ones with a holdout, with what `assign` needs of them. For pages and servers.',
      querystring: KeyQuery,
      returns: RunningExperiments,
      handle: async ({ caller }, reply) => {
        const rows = await findServed(db, { account_id: caller.accountId, keys: null });
        reply.headers({ 'cache-control': 'public, max-age=1', vary: 'x-api-key, authorization' });
        return {
          experiments: rows.map(({ definition, preceding, shipped_variant }) => ({
            ...assignedOf(definition),
            ...{
              holdout: definition.holdout,
              preceding,
              shippedVariant: shipped_variant,
              content: definition.content,
            },
          })),
        };
      },
    });
  });

  const { get, post, patch } = routesOf(app, about);
  get('/v1/experiments', {
    config: read,
    operationId: 'listExperiments',
    summary: 'List experiments',
    description: 'Newest first.',
    querystring: ExperimentsQuery,
    returns: ExperimentPage,
    handle: async ({ caller, query }) => {
      const { accountId: account_id } = caller;
      const { status = null } = query;
      const scope = [account_id, 'experiments', status];
      const { rows, nextPageToken } = await pageById(pageTokens, scope, query, 'newest first', (after, limit) =>
        listExperiments(db, { account_id, status, after, limit }),
      );
      return { experiments: rows.map((row) => shownTo(caller, row)), nextPageToken };
    },
  });

  post('/v1/experiments', {
    config: write,
    operationId: 'createExperiment',
    'x-idempotency-key': true,
    summary: 'Create an experiment',
    description: 'It is a draft until it is started.',
    body: NewExperiment,
    returns: Experiment,
    handle: (request) => {
      const { accountId: account_id } = request.caller;
      return idempotently(db, request, account_id, async (tx) => {
        const sent = await withIds(tx, account_id, request.body);
        refuse(await faultsOf(tx, request.caller, sent, false));
        const [counted] = await countExperiments(tx, { account_id });
        if ((counted?.count ?? 0) >= LIMITS.experiments) {
          throw badRequest('too_many_experiments', `An account has at most ${LIMITS.experiments} experiments.`);
        }
        const now = clock();
        const definition = definitionOf(sent);
        const { key } = definition;
        const stored = { key, definition: JSON.stringify(definition), now: new Date(now) };
        const [row] = await insertExperiment(tx, { account_id, id: newUuid(now), ...stored });
        if (!row) throw taken(key);
        const subject = ['experiment', publicId('exp', row.id)] as const;
        await audit(tx, authorOf(request), { action: 'experiment.created', subject, after: stateOf(row) }, now);
        return shownTo(request.caller, row);
      });
    },
  });

  get('/v1/experiments/:experimentId', {
    config: read,
    operationId: 'getExperiment',
    summary: 'Get an experiment',
    description: 'With its variants and state; `GET …/experiments/{experimentId}/results` has the results.',
    params: ExperimentPath,
    returns: Experiment,
    handle: async ({ caller, params }) => shownTo(caller, await find(caller.accountId, params.experimentId)),
  });

  patch('/v1/experiments/:experimentId', {
    config: write,
    operationId: 'updateExperiment',
    summary: 'Change an experiment',
    description:
      'Changes only the members that are sent. Once it has started, only `name` and `hypothesis` change, and `coverage` while it is running.',
    params: ExperimentPath,
    body: ExperimentChange,
    returns: Experiment,
    handle: (request) =>
      change(request, request.params.experimentId, 'experiment.changed', async (tx, row, accountId) => {
        const body = await withIds(tx, accountId, request.body);
        const definition = changedDefinition(row.definition, body);
        // With what was sent, so that faults point into the request.
        const sent = { ...row.definition, ...body };
        if (row.status !== 'draft') {
          refuse(frozenFaults(row.status, row.definition, definition));
          if (row.status === 'running') refuse(await coverageFaults(tx, accountId, definition));
        } else refuse(await faultsOf(tx, request.caller, sent, false));
        return { definition, key: definition.key };
      }),
  });

  post('/v1/experiments/:experimentId/start', {
    config: write,
    operationId: 'startExperiment',
    'x-idempotency-key': true,
    summary: 'Start an experiment',
    description: 'From then on its exposures count, and what they are decided by does not change.',
    params: ExperimentPath,
    body: EmptyBody,
    returns: Experiment,
    handle: (request) =>
      change(request, request.params.experimentId, 'experiment.started', async (tx, row, account_id) => {
        const { status, definition } = row;
        if (status !== 'draft') {
          const detail = `The experiment is ${status}. Only a draft can be started; create another experiment with a new key.`;
          throw badRequest('experiment_not_draft', detail);
        }
        refuse(await faultsOf(tx, request.caller, definition, true));
        const preceding = precedingOf(definition, await findServed(tx, { account_id, keys: null }));
        return { status: 'running', started_at: new Date(clock()), preceding };
      }),
  });

  post('/v1/experiments/:experimentId/stop', {
    config: write,
    operationId: 'stopExperiment',
    'x-idempotency-key': true,
    summary: 'Stop an experiment',
    description: 'No visitor is added. Those it has continue to settle, and its results stay.',
    params: ExperimentPath,
    body: EmptyBody,
    returns: Experiment,
    handle: (request) =>
      change(request, request.params.experimentId, 'experiment.stopped', async (_tx, { status }) => {
        if (status !== 'running') throw notRunning(status);
        return { status: 'stopped', stopped_at: new Date(clock()) };
      }),
  });

  post('/v1/experiments/:experimentId/ship', {
    config: write,
    operationId: 'shipExperiment',
    'x-idempotency-key': true,
    summary: 'Ship a variant',
    description:
      'Ends the experiment. What the variant replaces becomes a release, which is published at once unless `publish` is false. ' +
      'To undo it, publish the version before from the history of the entries.',
    params: ExperimentPath,
    body: ShipBody,
    returns: Experiment,
    handle: (request) =>
      variations.cleared((clearance) =>
        change(request, request.params.experimentId, 'experiment.shipped', async (tx, row) => {
          const { status, definition } = row;
          if (status !== 'running' && status !== 'stopped') throw notRunning(status);
          const { variant, publish = true } = request.body;
          const chosen = definition.variants.find(({ key }) => key === variant);
          if (!chosen) {
            const names = definition.variants.map(({ key }) => `\`${key}\``).join(', ');
            const detail = `\`/variant\` must be a variant of the experiment: ${names}.`;
            throw invalid([{ pointer: '/variant', code: 'not_allowed', detail }]);
          }
          const entries = definition.content.flatMap((each) => {
            const values = valuesFor(chosen.values, each.entryId)?.values;
            return values ? { ...each, values } : [];
          });
          const name = `${definition.name}: ${variant}`.slice(0, 200);
          const shipped =
            entries.length === 0
              ? null
              : await variations.ship(tx, request, { name, isPublished: publish, entries }, clearance);
          const now = new Date(clock());
          return {
            ...{ status: 'shipped', shipped_variant: variant, shipped_at: now, stopped_at: row.stopped_at ?? now },
            ...{ release_id: shipped && (parseId('rel', shipped.releaseId) ?? null), before: shipped?.before ?? null },
          };
        }),
      ),
  });

  get('/v1/experiments/:experimentId/assignment', {
    config: read,
    operationId: 'getAssignment',
    summary: 'Get the variant of a visitor',
    description:
      'A pure function of the experiment and the visitor. It records nothing: a visitor counts with the first `experiment_exposure` event.',
    params: ExperimentPath,
    querystring: AssignmentQuery,
    returns: Assignment,
    handle: async ({ caller, params, query }) => {
      return assign(assigning(await find(caller.accountId, params.experimentId)), query.visitorId);
    },
  });

  get('/v1/experiments/:experimentId/power', {
    config: read,
    operationId: 'getExperimentPower',
    summary: 'Get how many visitors an experiment needs',
    description:
      'By what the visitors of four weeks did who match the audience: how many visitors, and days, find a difference with the risk of a false decision of 5 % over all looks.',
    params: ExperimentPath,
    querystring: PowerQuery,
    returns: ExperimentPower,
    handle: async ({ caller: { accountId }, params, query }) => {
      const { definition } = await find(accountId, params.experimentId);
      return getPower(deps, accountId, definitionOf(definition), query);
    },
  });

  get('/v1/experiments/:experimentId/results', {
    config: read,
    operationId: 'getExperimentResults',
    summary: 'Get the results of an experiment',
    description:
      'Only settled visitors decide: those whose window and settling time are over, so that refunds are known. Intervals hold at all looks at once. Bots, own visits and erased persons are left out of every variant.',
    params: ExperimentPath,
    querystring: ResultsQuery,
    returns: ExperimentResults,
    handle: async ({ caller: { accountId }, params, query }) =>
      getResults(deps, accountId, await find(accountId, params.experimentId), query),
  });
}

const isServed = ({ status, definition }: ExperimentRow) =>
  status === 'running' || (status === 'shipped' && definition.holdout > 0);

const stateOf = ({ status, shipped_variant, definition }: ExperimentRow) => ({
  ...definition,
  status,
  shippedVariant: shipped_variant,
});

/** Values of variants are content, which a role may not read all of. */
function shownTo({ access }: FastifyRequest['caller'], row: ExperimentRow): Experiment {
  const experiment = serializeExperiment(row);
  if (readsEverything(access)) return experiment;
  return { ...experiment, variants: experiment.variants.map((variant) => ({ ...variant, values: null })) };
}

const taken = (key: string) => {
  const fault: Fault = { pointer: '/key', code: 'key_taken', detail: `Another experiment has the key \`${key}\`.` };
  return invalid([fault]);
};

async function refuseTaken(tx: Tx, account_id: string, key: string): Promise<void> {
  const [other] = await findByKey(tx, { account_id, key });
  if (other) throw taken(key);
}

const notRunning = (status: string) =>
  badRequest(
    'experiment_not_running',
    status === 'draft'
      ? 'The experiment is a draft. Start it first.'
      : `The experiment is ${status}. Create another one with a new key.`,
  );
