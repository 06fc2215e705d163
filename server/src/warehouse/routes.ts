import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { CredentialStore } from '../destinations/index.ts';
import type { Storage } from '../files/index.ts';
import { enqueueJob, Job } from '../jobs/index.ts';
import { audit, authorOf } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import { refuse } from '../shared/errors.ts';
import { hasMember } from '../shared/http/has-member.ts';
import { idempotently } from '../shared/http/idempotency.ts';
import { pageById } from '../shared/http/keyset-page.ts';
import { routesOf } from '../shared/http/routes.ts';
import type { App } from '../shared/http/server.ts';
import { publicId } from '../shared/ids.ts';
import type { MayConnect } from '../shared/outbound/connect-policy.ts';
import type { Tx } from '../shared/postgres/database.ts';
import {
  ExportBody,
  NewWarehouse,
  Warehouse,
  WarehouseChange,
  WarehousePage,
  WarehousePath,
  WarehousesQuery,
  WarehouseTest,
} from './contract.ts';
import { changeWarehouse, createWarehouse, testBucket } from './manage.ts';
import {
  deleteWarehouse,
  forgetFiles,
  listWarehouses,
  lockWarehouse,
  makeDaysStale,
  type WarehouseRow,
} from './queries.ts';
import { EXPORT_JOB, type ExportParams } from './run-export.ts';
import {
  readWarehouse,
  requireWarehouse,
  serializeDeleted,
  serializeWarehouse,
  serializeWarehouses,
  warehouseUuid,
} from './serialize.ts';

const URL = '/v1/warehouses';
const read = { access: 'secret', rate: 'read' } as const;
/** Only owners decide who receives everything. */
const write = { access: 'secret', role: 'owner', rate: 'write' } as const;
/** They decide where the secret, and everything, is sent. */
const DECISIVE = ['secretAccessKey', 'accessKeyId', 'endpoint', 'region', 'bucket', 'prefix', 'pathStyle'];
const isDecisive = (body: unknown) => DECISIVE.some((name) => hasMember(name)(body));

/** `/v1/warehouses`. */
export function warehouseRoutes(
  app: App,
  deps: Deps,
  files: Storage,
  store: CredentialStore,
  mayConnect: MayConnect,
): void {
  const { db, clock, config, pageTokens } = deps;
  const given = () => ({ store, mayConnect, now: clock() });
  const log = (tx: Tx, request: FastifyRequest, action: string, { id }: WarehouseRow, change: object) => {
    const subject = ['warehouse', publicId('whs', id)] as const;
    return audit(tx, authorOf(request), { action: `warehouse.${action}`, subject, ...change }, clock());
  };

  const { get, post, patch, remove } = routesOf(app, { tags: ['Warehouse'], security: [{ token: [] }] });

  post(URL, {
    config: { ...write, confirm: true },
    'x-idempotency-key': true,
    operationId: 'createWarehouse',
    summary: 'Create a warehouse',
    description:
      'Exports every dataset as Parquet to a bucket of S3 or a compatible service, by day (UTC), and every half an hour the days that changed. The secret is stored encrypted and never returned.',
    body: NewWarehouse,
    returns: Warehouse,
    handle: (request) => {
      const { accountId } = request.caller;
      return idempotently(db, request, accountId, async (tx) => {
        const created = await createWarehouse(tx, accountId, request.body, given());
        await log(tx, request, 'created', created, { after: auditedState(created) });
        return serializeWarehouse(tx, created);
      });
    },
  });

  get(URL, {
    config: read,
    operationId: 'listWarehouses',
    summary: 'List warehouses',
    description: 'Oldest first, each with what there is in its bucket.',
    querystring: WarehousesQuery,
    returns: WarehousePage,
    handle: async ({ caller: { accountId }, query }) => {
      const { rows, nextPageToken } = await pageById(
        pageTokens,
        [accountId, URL],
        query,
        'oldest first',
        (after, limit) => listWarehouses(db, { account_id: accountId, after, limit }),
      );
      return { warehouses: await serializeWarehouses(db, accountId, rows), nextPageToken };
    },
  });

  get(`${URL}/:warehouseId`, {
    config: read,
    operationId: 'getWarehouse',
    summary: 'Get a warehouse',
    description: 'With what there is in the bucket, and the state of the export. The secret is never returned.',
    params: WarehousePath,
    returns: Warehouse,
    handle: async ({ caller, params }) =>
      serializeWarehouse(db, await readWarehouse(db, caller.accountId, params.warehouseId)),
  });

  patch(`${URL}/:warehouseId`, {
    config: { ...write, confirm: isDecisive },
    operationId: 'updateWarehouse',
    summary: 'Update a warehouse',
    description:
      'Updates the members that are sent. What decides where the secret is used (`endpoint`, `region`, `bucket`, `pathStyle`, `accessKeyId`) requires `secretAccessKey` again. Another endpoint, bucket or prefix receives everything anew; files of the one before stay there. It is exported at once.',
    params: WarehousePath,
    body: WarehouseChange,
    returns: Warehouse,
    handle: (request) =>
      db.transaction(async (tx) => {
        const { caller, params, body } = request;
        const { before, after } = await changeWarehouse(tx, caller.accountId, params.warehouseId, body, given());
        await log(tx, request, 'changed', after, { before: auditedState(before), after: auditedState(after) });
        if (body.secretAccessKey) await log(tx, request, 'credentials_changed', after, {});
        return serializeWarehouse(tx, after);
      }),
  });

  remove(`${URL}/:warehouseId`, {
    config: write,
    operationId: 'deleteWarehouse',
    summary: 'Delete a warehouse',
    description: 'Nothing more is exported, and nothing is erased from the files that are in the bucket.',
    params: WarehousePath,
    returns: Warehouse,
    handle: (request) =>
      db.transaction(async (tx) => {
        const { caller, params } = request;
        const key = { account_id: caller.accountId, id: warehouseUuid(params.warehouseId) };
        const [row] = await deleteWarehouse(tx, key);
        const deleted = requireWarehouse(row);
        await forgetFiles(tx, { account_id: key.account_id, warehouse_id: key.id });
        await log(tx, request, 'deleted', deleted, { before: auditedState(deleted) });
        return serializeDeleted(deleted);
      }),
  });

  post(`${URL}/:warehouseId/test`, {
    config: write,
    operationId: 'testWarehouse',
    summary: 'Test the connection to a bucket',
    description: 'Writes, reads and deletes a file.',
    params: WarehousePath,
    returns: WarehouseTest,
    handle: async ({ caller, params }) => {
      const warehouse = await readWarehouse(db, caller.accountId, params.warehouseId);
      return testBucket(db, warehouse, files, config.dataDir, { store, mayConnect });
    },
  });

  post(`${URL}/:warehouseId/export`, {
    config: write,
    'x-idempotency-key': true,
    operationId: 'exportWarehouse',
    summary: 'Export to a warehouse now',
    description:
      'Starts a job that writes the days that changed. With `from`, `to` or `datasets`, these days are written again even if they did not change, such as after files were deleted from the bucket.',
    params: WarehousePath,
    body: Type.Union([ExportBody, Type.Null()]),
    returns: Job,
    handle: (request) =>
      idempotently(db, request, request.caller.accountId, async (tx) => {
        const { caller, params, body } = request;
        const { from = null, to = null, datasets } = body ?? {};
        if (from !== null && to !== null && from > to) {
          const detail = '`to` must not be earlier than `from`.';
          refuse([{ pointer: '/to', code: 'range_empty', detail }]);
        }
        const key = { account_id: caller.accountId, id: warehouseUuid(params.warehouseId) };
        const [locked] = await lockWarehouse(tx, key);
        const warehouse = requireWarehouse(locked);
        if (from !== null || to !== null || datasets) {
          const { account_id, id: warehouse_id } = key;
          await makeDaysStale(tx, { account_id, warehouse_id, datasets: datasets ?? warehouse.datasets, from, to });
        }
        const change = { after: { from, to, datasets: datasets ?? null } };
        await log(tx, request, 'export_started', warehouse, change);
        const job: ExportParams = { warehouseId: params.warehouseId };
        return enqueueJob(deps, tx, caller.accountId, EXPORT_JOB, job, authorOf(request));
      }),
  });
}

const auditedState = ({
  name,
  endpoint,
  region,
  bucket,
  prefix,
  access_key_id,
  datasets,
  starts_on,
  mode,
}: WarehouseRow) => ({
  ...{ name, endpoint, region, bucket, prefix, accessKeyId: access_key_id, datasets, startsOn: starts_on, mode },
});
