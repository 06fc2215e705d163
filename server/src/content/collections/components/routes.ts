import type { Deps } from '../../../shared/deps.ts';
import { idempotently } from '../../../shared/http/idempotency.ts';
import { routesOf } from '../../../shared/http/routes.ts';
import type { App } from '../../../shared/http/server.ts';
import { auditComponent } from '../../audit-content.ts';
import { Component, ComponentChange, ComponentPage, ComponentPath, NewComponent } from './contract.ts';
import {
  createComponent,
  deleteComponent,
  getComponent,
  listComponents,
  updateComponent,
} from './manage-components.ts';

const about = { tags: ['Components'], security: [{ token: [] }] };
const read = { access: 'secret', rate: 'read' } as const;
const write = { access: 'secret', rate: 'write' } as const;

/** @param wakeIndexer called when the index of new fields was left to the worker */
export function componentRoutes(app: App, { db, clock }: Deps, wakeIndexer: () => void): void {
  const { get, post, patch, remove } = routesOf(app, about);
  get('/v1/cms/components', {
    config: read,
    operationId: 'listComponents',
    summary: 'List components',
    description: 'Returns all components of the account, oldest first.',
    returns: ComponentPage,
    handle: async ({ caller }) => ({ components: await listComponents(db, caller.accountId), nextPageToken: null }),
  });

  post('/v1/cms/components', {
    config: write,
    operationId: 'createComponent',
    'x-idempotency-key': true,
    summary: 'Create a component',
    description: 'Fields that groups (`componentId`) and blocks of several collections share.',
    body: NewComponent,
    returns: Component,
    handle: async (request) => {
      const { accountId } = request.caller;
      return idempotently(db, request, accountId, async (tx) => {
        const created = await createComponent(tx, accountId, request.body, clock());
        await auditComponent(tx, request, 'created', undefined, created, clock());
        return created;
      });
    },
  });

  get('/v1/cms/components/:id', {
    config: read,
    operationId: 'getComponent',
    summary: 'Get a component',
    description: 'A component is a list of fields that groups and blocks of several collections share.',
    params: ComponentPath,
    returns: Component,
    handle: async ({ caller, params }) => getComponent(db, caller.accountId, params.id),
  });

  patch('/v1/cms/components/:id', {
    config: write,
    operationId: 'updateComponent',
    summary: 'Update a component',
    description:
      'Changes only the members that are sent, in every collection that has the component. A change by which values of ' +
      'entries are no longer returned is refused with `data_loss` and their number, unless `allowDataLoss` is sent.',
    params: ComponentPath,
    body: ComponentChange,
    returns: Component,
    handle: async (request) => {
      const { accountId } = request.caller;
      const { component, needsBackfill } = await db.transaction(async (tx) => {
        const before = await getComponent(tx, accountId, request.params.id);
        const changed = await updateComponent(tx, accountId, request.params.id, request.body, clock());
        await auditComponent(tx, request, 'changed', before, changed.component, clock());
        return changed;
      });
      if (needsBackfill) wakeIndexer();
      return component;
    },
  });

  remove('/v1/cms/components/:id', {
    config: write,
    operationId: 'deleteComponent',
    summary: 'Delete a component',
    description:
      'Refused with `component_in_use` while a collection, deleted ones included, or another component has it.',
    params: ComponentPath,
    returns: Component,
    handle: async (request) => {
      const { accountId } = request.caller;
      return db.transaction(async (tx) => {
        const deleted = await deleteComponent(tx, accountId, request.params.id);
        await auditComponent(tx, request, 'removed', deleted, undefined, clock());
        return deleted;
      });
    },
  });
}
