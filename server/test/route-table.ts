import assert from 'node:assert/strict';
import { type Furnished, filePart, PNG, SSO } from './furnished-account.ts';
import type { Answer } from './harness.ts';
import { IMAGE_URL } from './image-server.ts';
import { PASSWORD } from './users.ts';

/**
 * Every route of the API, with a valid request and the expected response to the same request of another account.
 * Tests fail for a route that is missing here.
 */
export interface RouteCase {
  /** A request of the account `mine` for its own resources, which returns 200. */
  good(mine: Furnished): GoodRequest;
  /** Checks the response to the same request with the key of another account. */
  foreign(answer: Answer, theirs: Furnished): void;
}

export interface GoodRequest {
  /** Path parameters. */
  params?: Record<string, string>;
  query?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** The same response as for a resource that never existed. */
function notFound(answer: Answer): void {
  assert.deepEqual([answer.status, answer.body.code], [404, 'not_found']);
}

/** What the body names does not exist. */
function unknownInBody(answer: Answer): void {
  assert.deepEqual([answer.status, answer.body.code], [400, 'not_found']);
}

/** The other account gets its own data. */
function itsOwn(answer: Answer): void {
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
}

/** An empty list. */
const empty = (name: string) => (answer: Answer) => {
  itsOwn(answer);
  assert.deepEqual(answer.body, { [name]: [], nextPageToken: null });
};

const unmatched = (answer: Answer) => {
  itsOwn(answer);
  assert.deepEqual([answer.body.status, answer.body.reported], ['unmatched', false]);
};

const collection = ({ collectionId }: Furnished) => ({ collectionId });
const entry = ({ collectionId, entryId }: Furnished) => ({ collectionId, entryId });
const draft = ({ draftsId, draftId }: Furnished) => ({ collectionId: draftsId, entryId: draftId });
const version = (mine: Furnished) => ({ ...entry(mine), version: '1' });
const singleton = ({ singletonId }: Furnished) => ({ collectionId: singletonId });
const component = ({ componentId }: Furnished) => ({ id: componentId });
const publishHook = ({ publishHookId }: Furnished) => ({ hookId: publishHookId });
const webhook = ({ webhookId }: Furnished) => ({ id: webhookId });
const destination = ({ destinationId }: Furnished) => ({ id: destinationId });
const costSource = ({ costSourceId }: Furnished) => ({ costSourceId });
const warehouse = ({ warehouseId }: Furnished) => ({ warehouseId });
const experiment = ({ experimentId }: Furnished) => ({ experimentId });
const reconciliation = ({ reconciliationId }: Furnished) => ({ reconciliationId });
const alert = ({ alertId }: Furnished) => ({ alertId });
const file = filePart('file', 'picture.png', PNG);
const sheet = filePart('file', 'things.csv', Buffer.from('id,title\r\n,x\r\n'));

export const ROUTES: Record<string, RouteCase> = {
  'GET /v1/limits': { good: () => ({}), foreign: itsOwn },

  'GET /v1/cms/collections': { good: () => ({ query: 'pageSize=10' }), foreign: empty('collections') },
  'POST /v1/cms/collections': {
    good: () => ({
      body: {
        name: 'Products',
        description: null,
        displayFieldId: 'title',
        defaultSort: { fieldId: 'title', direction: 'desc' },
        fields: [
          { id: 'title', label: 'Title', type: 'text', required: true },
          { label: 'Category', type: 'select', options: [{ value: 'a', label: 'Shoes' }] },
          { label: 'Materials', type: 'group', repeated: true, fields: [{ id: 'text', label: 'Text', type: 'text' }] },
        ],
      },
      headers: { 'idempotency-key': 'posts' },
    }),
    foreign: itsOwn,
  },
  'GET /v1/cms/locales': {
    good: () => ({}),
    foreign: (answer) => {
      itsOwn(answer);
      assert.deepEqual(answer.body, { default: null, locales: [] });
    },
  },
  'PUT /v1/cms/locales': {
    good: () => ({ body: { default: 'en', locales: [{ locale: 'en' }, { locale: 'de', fallback: 'en' }] } }),
    foreign: itsOwn,
  },
  'GET /v1/cms/entry-counts': {
    good: () => ({}),
    foreign: (answer) => {
      itsOwn(answer);
      assert.deepEqual(answer.body, { counts: [] });
    },
  },
  'GET /v1/cms/collections/:collectionId': {
    good: (mine) => ({ params: collection(mine), query: 'includeDeleted=true' }),
    foreign: notFound,
  },
  'PATCH /v1/cms/collections/:collectionId': {
    good: (mine) => ({
      params: collection(mine),
      body: { name: 'Trail shoes', fields: [{ id: 'kind', options: [{ value: 'b', label: 'Boots' }] }] },
    }),
    foreign: notFound,
  },
  'DELETE /v1/cms/collections/:collectionId': { good: (mine) => ({ params: collection(mine) }), foreign: notFound },

  'GET /v1/cms/collections/:collectionId/entry': {
    good: (mine) => ({ params: singleton(mine) }),
    foreign: notFound,
  },
  'PATCH /v1/cms/collections/:collectionId/entry': {
    good: (mine) => ({ params: singleton(mine), body: { values: { title: 'Welcome to the shop' } } }),
    foreign: notFound,
  },
  'POST /v1/cms/collections/:collectionId/entries/:entryId/move': {
    good: (mine) => ({
      params: { collectionId: mine.orderedId, entryId: mine.orderedEntryId },
      body: { first: true },
    }),
    foreign: notFound,
  },
  'GET /v1/cms/components': { good: () => ({}), foreign: empty('components') },
  'POST /v1/cms/components': {
    good: () => ({ body: { key: 'seo', name: 'SEO', fields: [{ id: 'text', label: 'Text', type: 'text' }] } }),
    foreign: itsOwn,
  },
  'GET /v1/cms/components/:id': { good: (mine) => ({ params: component(mine) }), foreign: notFound },
  'PATCH /v1/cms/components/:id': {
    good: (mine) => ({
      params: component(mine),
      body: { name: 'Search results', fields: [{ id: 'text', label: 'Description' }] },
    }),
    foreign: notFound,
  },
  'DELETE /v1/cms/components/:id': {
    good: (mine) => ({ params: component(mine) }),
    foreign: notFound,
  },

  'GET /v1/cms/collections/:collectionId/entries': {
    good: (mine) => ({
      params: collection(mine),
      query: `sort=count:desc&filter%5Bcount%5D%5Bgte%5D=1&q=${mine.marker}&pageSize=10`,
    }),
    foreign: notFound,
  },
  'POST /v1/cms/collections/:collectionId/entries/query': {
    good: (mine) => ({
      params: collection(mine),
      body: { where: { or: [{ title: { contains: mine.marker } }] }, select: 'title' },
    }),
    foreign: notFound,
  },
  'POST /v1/cms/collections/:collectionId/entries/aggregate': {
    good: (mine) => ({ params: collection(mine), body: { groupBy: ['title'], measures: { n: { count: true } } } }),
    foreign: notFound,
  },
  'POST /v1/cms/collections/:collectionId/entries/update-many': {
    good: (mine) => ({
      params: collection(mine),
      body: { where: { title: { eq: mine.marker } }, values: { count: 8 } },
    }),
    foreign: notFound,
  },
  'POST /v1/cms/collections/:collectionId/entries/delete-many': {
    good: (mine) => ({ params: collection(mine), body: { where: { title: { eq: mine.marker } } } }),
    foreign: notFound,
  },
  'POST /v1/cms/collections/:collectionId/undo/:undoId': {
    good: (mine) => ({ params: { ...collection(mine), undoId: mine.undoId } }),
    foreign: notFound,
  },
  'POST /v1/cms/collections/:collectionId/entries': {
    good: (mine) => ({
      params: collection(mine),
      body: {
        values: {
          title: 'Trail runner',
          count: 12.5,
          on: true,
          day: '2026-11-20',
          at: '2026-11-20T09:00:00+01:00',
          link: 'https://shop.example/trail-runner',
          cover: { assetId: mine.assetId },
          kind: 'a',
          seo: { text: 'Light shoes for long trails' },
          tags: ['shoes', 'trail'],
        },
      },
    }),
    foreign: notFound,
  },
  'GET /v1/cms/collections/:collectionId/entries/:entryId': {
    good: (mine) => ({ params: entry(mine) }),
    foreign: notFound,
  },
  'PATCH /v1/cms/collections/:collectionId/entries/:entryId': {
    good: (mine) => ({ params: entry(mine), body: { values: { title: 'Trail runner 2', tags: null } } }),
    foreign: notFound,
  },
  'DELETE /v1/cms/collections/:collectionId/entries/:entryId': {
    good: (mine) => ({ params: entry(mine) }),
    foreign: notFound,
  },

  'PUT /v1/cms/collections/:collectionId/entries/by/:fieldId/:value': {
    good: (mine) => ({
      params: { collectionId: mine.draftsId, fieldId: 'title', value: 'Road runner' },
      body: { values: { note: 'Arrives in March' } },
    }),
    foreign: notFound,
  },
  'POST /v1/cms/collections/:collectionId/entries/:entryId/duplicate': {
    good: (mine) => ({ params: entry(mine), body: {} }),
    foreign: notFound,
  },
  'POST /v1/cms/batch': {
    good: (mine) => ({
      body: {
        operations: [
          { op: 'create', collection: mine.collectionId, values: { title: 'Trail runner mini' }, ref: 'new' },
          { op: 'update', collection: mine.collectionId, id: '@new', increment: { count: 1 } },
        ],
      },
    }),
    foreign: (answer) => assert.deepEqual([answer.status, answer.body.code], [400, 'not_found']),
  },

  'POST /v1/cms/collections/:collectionId/entries/:entryId/publish': {
    good: (mine) => ({ params: draft(mine), body: { version: 2 } }),
    foreign: notFound,
  },
  'POST /v1/cms/collections/:collectionId/entries/:entryId/unpublish': {
    good: (mine) => ({ params: draft(mine), body: {} }),
    foreign: notFound,
  },
  'POST /v1/cms/collections/:collectionId/entries/:entryId/discard-draft': {
    good: (mine) => ({ params: draft(mine), body: {} }),
    foreign: notFound,
  },
  'POST /v1/cms/collections/:collectionId/publish': {
    good: (mine) => ({ params: { collectionId: mine.draftsId }, body: { entryIds: [mine.draftId] } }),
    foreign: notFound,
  },
  'POST /v1/cms/collections/:collectionId/unpublish': {
    good: (mine) => ({ params: { collectionId: mine.draftsId }, body: { entryIds: [mine.draftId] } }),
    foreign: notFound,
  },

  'POST /v1/cms/collections/:collectionId/entries/:entryId/preview': {
    good: (mine) => ({ params: draft(mine) }),
    foreign: notFound,
  },
  'GET /v1/cms/collections/:collectionId/entries/:entryId/review': {
    good: (mine) => ({ params: draft(mine) }),
    foreign: notFound,
  },
  'PUT /v1/cms/collections/:collectionId/entries/:entryId/review': {
    good: (mine) => ({ params: draft(mine), body: { state: 'approved', version: 2 } }),
    foreign: notFound,
  },
  'GET /v1/cms/collections/:collectionId/entries/:entryId/comments': {
    good: (mine) => ({ params: draft(mine), query: 'pageSize=10' }),
    foreign: notFound,
  },
  'POST /v1/cms/collections/:collectionId/entries/:entryId/comments': {
    good: (mine) => ({ params: draft(mine), body: { text: 'Please add a photo of the sole.' } }),
    foreign: notFound,
  },
  'DELETE /v1/cms/collections/:collectionId/entries/:entryId/comments/:commentId': {
    good: (mine) => ({ params: { ...draft(mine), commentId: mine.commentId } }),
    foreign: notFound,
  },
  'POST /v1/cms/collections/:collectionId/entries/:entryId/presence': {
    good: (mine) => ({ params: draft(mine) }),
    foreign: notFound,
  },
  'GET /v1/cms/collections/:collectionId/entries/:entryId/draft': {
    good: (mine) => ({ params: entry(mine) }),
    foreign: notFound,
  },
  'PUT /v1/cms/collections/:collectionId/entries/:entryId/draft': {
    good: (mine) => ({ params: entry(mine), body: { version: 1, changes: { title: 'Trail runner 3' } } }),
    foreign: notFound,
  },
  'DELETE /v1/cms/collections/:collectionId/entries/:entryId/draft': {
    good: (mine) => ({ params: entry(mine) }),
    foreign: notFound,
  },
  'GET /v1/cms/collections/:collectionId/views': { good: (mine) => ({ params: collection(mine) }), foreign: notFound },
  'PUT /v1/cms/collections/:collectionId/views': {
    good: (mine) => ({ params: collection(mine), body: { name: 'By title', state: { sort: 'title:asc' } } }),
    foreign: notFound,
  },
  'DELETE /v1/cms/collections/:collectionId/views/:viewId': {
    good: (mine) => ({ params: { ...collection(mine), viewId: mine.entryViewId } }),
    foreign: notFound,
  },
  'GET /v1/cms/releases': { good: () => ({ query: 'pageSize=10&status=open' }), foreign: empty('releases') },
  'POST /v1/cms/releases': {
    good: (mine) => ({
      body: {
        name: 'Launch',
        at: '2099-01-01T00:00:00Z',
        items: [{ collectionId: mine.draftsId, entryId: mine.draftId, version: 1 }],
      },
    }),
    foreign: ({ status, body }) => assert.deepEqual([status, body.code], [400, 'collection_unknown']),
  },
  'GET /v1/cms/releases/:releaseId': { good: ({ releaseId }) => ({ params: { releaseId } }), foreign: notFound },
  'GET /v1/cms/releases/:releaseId/items': { good: ({ releaseId }) => ({ params: { releaseId } }), foreign: notFound },
  'PATCH /v1/cms/releases/:releaseId': {
    good: ({ releaseId }) => ({ params: { releaseId }, body: { at: '2099-01-01T00:00:00Z' } }),
    foreign: notFound,
  },
  'DELETE /v1/cms/releases/:releaseId': { good: ({ releaseId }) => ({ params: { releaseId } }), foreign: notFound },
  'POST /v1/cms/releases/:releaseId/publish': {
    good: ({ releaseId }) => ({ params: { releaseId } }),
    foreign: notFound,
  },

  'GET /v1/content/changes': {
    good: (mine) => ({ query: `since=0&collections=${mine.draftsId}` }),
    foreign: ({ status, body }) => assert.deepEqual([status, body.code], [400, 'collection_unknown']),
  },
  'GET /v1/content/resolve': {
    good: (mine) => ({ query: `path=${encodeURIComponent(`/en/${mine.draftId}`)}` }),
    foreign: notFound,
  },
  'GET /v1/content/redirects': { good: () => ({}), foreign: empty('redirects') },
  'GET /v1/content/sitemap.xml': { good: () => ({}), foreign: itsOwn },
  'GET /v1/content/:collectionId': {
    good: (mine) => ({ params: { collectionId: mine.draftsId }, query: `sort=title:desc&q=${mine.marker}&locale=de` }),
    foreign: notFound,
  },
  'POST /v1/content/:collectionId/query': {
    good: (mine) => ({
      params: { collectionId: mine.draftsId },
      body: { where: { title: { contains: mine.marker } } },
    }),
    foreign: notFound,
  },
  'POST /v1/content/:collectionId/aggregate': {
    good: (mine) => ({ params: { collectionId: mine.draftsId }, body: { measures: { n: { count: true } } } }),
    foreign: notFound,
  },
  'GET /v1/content/:collectionId/entry': { good: (mine) => ({ params: singleton(mine) }), foreign: notFound },
  'GET /v1/content/:collectionId/:entryId': { good: (mine) => ({ params: draft(mine) }), foreign: notFound },

  'GET /v1/cms/collections/:collectionId/entries/:entryId/usages': {
    good: (mine) => ({ params: entry(mine), query: 'pageSize=10&includeDeleted=true' }),
    foreign: notFound,
  },
  'GET /v1/cms/entry-titles': {
    good: (mine) => ({ query: `ids=${mine.entryId}` }),
    foreign: (answer) => {
      itsOwn(answer);
      assert.deepEqual(answer.body, { titles: [] });
    },
  },
  'GET /v1/cms/collections/:collectionId/entries/:entryId/versions': {
    good: (mine) => ({ params: entry(mine), query: 'pageSize=10&includeDeleted=true' }),
    foreign: notFound,
  },
  'GET /v1/cms/collections/:collectionId/entries/:entryId/versions/:version': {
    good: (mine) => ({ params: version(mine) }),
    foreign: notFound,
  },
  'POST /v1/cms/collections/:collectionId/entries/:entryId/versions/:version/restore': {
    good: (mine) => ({ params: version(mine), body: { version: 2, fields: ['title'] } }),
    foreign: notFound,
  },
  'GET /v1/cms/collections/:collectionId/trash': {
    good: (mine) => ({ params: collection(mine), query: 'pageSize=10' }),
    foreign: notFound,
  },
  'GET /v1/cms/trash': { good: () => ({ query: 'pageSize=10' }), foreign: empty('collections') },

  'POST /v1/cms/collections/:collectionId/export': {
    good: (mine) => ({
      params: collection(mine),
      body: { format: 'csv', fields: ['title'], sort: 'count:asc', q: mine.marker, filter: { count: { gte: '1' } } },
    }),
    foreign: notFound,
  },
  'GET /v1/cms/collections/:collectionId/imports': {
    good: (mine) => ({ params: collection(mine), query: 'pageSize=10' }),
    foreign: notFound,
  },
  'POST /v1/cms/collections/:collectionId/imports': {
    good: (mine) => ({ params: collection(mine), body: sheet.payload, headers: sheet.headers }),
    foreign: notFound,
  },
  'GET /v1/cms/collections/:collectionId/imports/:importId': {
    good: (mine) => ({ params: { ...collection(mine), importId: mine.importId } }),
    foreign: notFound,
  },
  'POST /v1/cms/collections/:collectionId/imports/:importId/dry-run': {
    good: (mine) => ({
      params: { ...collection(mine), importId: mine.importId },
      body: {
        columns: [null, { field: 'title' }],
        idColumn: 0,
        keyField: null,
        emptyCells: 'keep',
        decimal: ',',
        dateOrder: 'dmy',
        timeZone: 'UTC',
      },
    }),
    foreign: notFound,
  },
  'POST /v1/cms/collections/:collectionId/imports/:importId/start': {
    good: (mine) => ({ params: { ...collection(mine), importId: mine.dryRunImportId } }),
    foreign: notFound,
  },
  'POST /v1/cms/collections/:collectionId/imports/:importId/undo': {
    good: (mine) => ({ params: { ...collection(mine), importId: mine.importedImportId } }),
    foreign: notFound,
  },

  'POST /v1/files/upload': {
    good: () => ({ body: file.payload, headers: file.headers }),
    foreign: (answer, theirs) => {
      itsOwn(answer);
      assert.notEqual(answer.body.assetId, theirs.assetId);
    },
  },
  'POST /v1/files/upload-tokens': {
    good: ({ folderId }) => ({
      body: { folderId, maxBytes: 1_000, contentTypes: ['image/*'], origin: 'https://shop.example' },
    }),
    foreign: (answer) => assert.deepEqual([answer.status, answer.body.code], [400, 'folder_unknown']),
  },
  'POST /v1/files/upload-from-url': {
    good: () => ({ body: { url: IMAGE_URL } }),
    foreign: (answer, theirs) => {
      itsOwn(answer);
      assert.notEqual(answer.body.assetId, theirs.assetId);
    },
  },
  'POST /v1/files/:assetId/replace': {
    good: ({ assetId }) => ({ params: { assetId }, body: file.payload, headers: file.headers }),
    foreign: notFound,
  },

  'GET /v1/files': {
    good: ({ marker }) => ({ query: `pageSize=10&type=image&name=${marker}&unused=false` }),
    foreign: empty('files'),
  },
  'GET /v1/folders': {
    good: () => ({}),
    foreign: (answer) => {
      itsOwn(answer);
      assert.deepEqual(answer.body, { folders: [] });
    },
  },
  'POST /v1/folders': { good: () => ({ body: { name: 'Boots' } }), foreign: itsOwn },
  'PATCH /v1/folders/:folderId': {
    good: ({ folderId }) => ({ params: { folderId }, body: { name: 'Shoes' } }),
    foreign: notFound,
  },
  'DELETE /v1/folders/:folderId': { good: ({ folderId }) => ({ params: { folderId } }), foreign: notFound },
  'GET /v1/files/:assetId': { good: ({ assetId }) => ({ params: { assetId } }), foreign: notFound },
  'PATCH /v1/files/:assetId': {
    good: ({ assetId }) => ({
      params: { assetId },
      body: { name: 'sole.png', alt: 'The sole of a trail shoe', focalPoint: { x: 0.5, y: 0 } },
    }),
    foreign: notFound,
  },
  'DELETE /v1/files/:assetId': {
    good: ({ assetId }) => ({ params: { assetId }, query: 'force=true' }),
    foreign: notFound,
  },
  'GET /v1/files/tags': {
    good: () => ({}),
    foreign: (answer) => {
      itsOwn(answer);
      assert.deepEqual(answer.body, { tags: [] });
    },
  },
  'POST /v1/files/clear-unused': {
    good: () => ({ body: { unusedForDays: 0 } }),
    foreign: (answer, theirs) => {
      itsOwn(answer);
      assert.notEqual(answer.body.id, theirs.jobId);
    },
  },

  'GET /v1/account': { good: () => ({}), foreign: itsOwn },
  'PATCH /v1/account': { good: () => ({ body: { name: 'Trail shoes' } }), foreign: itsOwn },
  'POST /v1/account/delete': {
    good: ({ marker }) => ({ body: { name: marker, currentPassword: PASSWORD } }),
    foreign: (answer) => assert.deepEqual([answer.status, answer.body.code], [400, 'name_differs']),
  },
  'POST /v1/account/leave': {
    good: () => ({}),
    foreign: (answer) => assert.deepEqual([answer.status, answer.body.code], [400, 'last_owner']),
  },
  'GET /v1/members': { good: () => ({ query: 'pageSize=10' }), foreign: itsOwn },
  'PATCH /v1/members/:userId': {
    good: ({ colleague }) => ({ params: { userId: colleague.userId }, body: { role: 'viewer' } }),
    foreign: notFound,
  },
  'DELETE /v1/members/:userId': {
    good: ({ colleague }) => ({ params: { userId: colleague.userId } }),
    foreign: notFound,
  },
  'POST /v1/members/:userId/reset-link': {
    good: ({ colleague }) => ({ params: { userId: colleague.userId } }),
    foreign: notFound,
  },
  'GET /v1/invitations': { good: () => ({}), foreign: empty('invitations') },
  'POST /v1/invitations': { good: () => ({ body: { role: 'editor', expiresInDays: 2 } }), foreign: itsOwn },
  'DELETE /v1/invitations/:invitationId': {
    good: ({ invitationId }) => ({ params: { invitationId } }),
    foreign: notFound,
  },
  'GET /v1/keys': { good: () => ({ query: 'type=postback&revoked=false' }), foreign: empty('keys') },
  'POST /v1/keys': { good: () => ({ body: { name: 'Shop', type: 'secret' } }), foreign: itsOwn },
  'POST /v1/keys/agents/check': { good: ({ agent }) => ({ body: agent }), foreign: itsOwn },
  'POST /v1/keys/agents': { good: ({ agent }) => ({ body: agent }), foreign: itsOwn },
  'PATCH /v1/keys/:keyId': {
    good: ({ keyId }) => ({ params: { keyId }, body: { name: 'Back end' } }),
    foreign: notFound,
  },
  'POST /v1/keys/:keyId/rotate': { good: ({ keyId }) => ({ params: { keyId } }), foreign: notFound },
  'DELETE /v1/keys/:keyId': { good: ({ keyId }) => ({ params: { keyId } }), foreign: notFound },
  'GET /v1/roles': {
    good: () => ({}),
    foreign: (answer) => {
      itsOwn(answer);
      assert.ok(answer.body.roles.every(({ builtIn }: { builtIn: boolean }) => builtIn));
    },
  },
  'POST /v1/roles': {
    good: ({ collectionId }) => ({
      body: {
        name: 'Authors',
        permissions: [
          { collection: collectionId, actions: ['read', 'update'], exceptFields: ['kind'] },
          { collection: '*', actions: ['read'] },
        ],
        features: { files: 'read' },
      },
    }),
    foreign: ({ status, body }) => assert.deepEqual([status, body.code], [400, 'collection_unknown']),
  },
  'PATCH /v1/roles/:id': {
    good: ({ roleId }) => ({ params: { id: roleId }, body: { name: 'Photographers', features: { files: 'write' } } }),
    foreign: notFound,
  },
  'POST /v1/roles/:id/view': { good: ({ roleId }) => ({ params: { id: roleId } }), foreign: notFound },
  'DELETE /v1/roles/:id': { good: ({ roleId }) => ({ params: { id: roleId } }), foreign: notFound },
  'GET /v1/audit': {
    good: ({ owner }) => ({ query: `action=key.created&actorId=${owner.userId}&from=2026-01-01T00:00:00Z` }),
    foreign: empty('changes'),
  },

  'PATCH /auth/user': { good: () => ({ body: { name: 'Ada' } }), foreign: itsOwn },
  'POST /auth/password': {
    good: () => ({ body: { currentPassword: PASSWORD, newPassword: 'another battery' } }),
    foreign: itsOwn,
  },
  'POST /auth/confirm': { good: () => ({ body: { currentPassword: PASSWORD } }), foreign: itsOwn },
  'GET /auth/security': { good: () => ({}), foreign: itsOwn },
  'POST /auth/two-factor': { good: () => ({ body: { currentPassword: PASSWORD } }), foreign: itsOwn },
  'POST /auth/two-factor/disable': { good: () => ({ body: { currentPassword: PASSWORD } }), foreign: itsOwn },
  'POST /auth/passkeys/options': { good: () => ({ body: { currentPassword: PASSWORD } }), foreign: itsOwn },
  'GET /auth/sessions': { good: () => ({}), foreign: itsOwn },
  'DELETE /auth/sessions/:sessionId': {
    good: ({ otherSessionId }) => ({ params: { sessionId: otherSessionId } }),
    foreign: notFound,
  },
  'POST /auth/sessions/end-others': { good: () => ({}), foreign: itsOwn },
  'POST /auth/view/end': { good: () => ({}), foreign: itsOwn },
  'POST /auth/accounts': { good: () => ({ body: { name: 'Second shop' } }), foreign: itsOwn },

  'PUT /v1/analytics/ad-costs': {
    good: () => ({ body: { costs: [{ date: '2026-01-05', source: 'google', cost: 12.5, currency: 'EUR' }] } }),
    foreign: itsOwn,
  },
  'GET /v1/analytics/ad-costs': { good: () => ({ query: 'pageSize=10' }), foreign: empty('costs') },
  'GET /v1/analytics/ad-costs/unmatched': { good: () => ({ query: 'from=2026-01-01&to=2026-02-01' }), foreign: itsOwn },
  'PUT /v1/analytics/ad-costs/assignments': {
    good: () => ({ body: { assignments: [{ source: 'google', sessionCampaign: 'summer', campaignId: '1' }] } }),
    foreign: itsOwn,
  },
  'GET /v1/analytics/cost-sources/platforms': { good: () => ({}), foreign: itsOwn },
  'POST /v1/analytics/cost-sources': {
    good: () => ({
      body: {
        ...{ platform: 'tiktok', name: 'TikTok', source: 'tiktok', mode: 'off' },
        credentials: { advertiserId: '7012345678', accessToken: 'token' },
      },
      headers: { 'idempotency-key': 'cost source' },
    }),
    foreign: itsOwn,
  },
  'GET /v1/analytics/cost-sources': { good: () => ({ query: 'pageSize=10' }), foreign: empty('costSources') },
  'GET /v1/analytics/cost-sources/:costSourceId': { good: (mine) => ({ params: costSource(mine) }), foreign: notFound },
  'PATCH /v1/analytics/cost-sources/:costSourceId': {
    good: (mine) => ({ params: costSource(mine), body: { credentials: { accessToken: 'token' }, mode: 'off' } }),
    foreign: notFound,
  },
  'DELETE /v1/analytics/cost-sources/:costSourceId': {
    good: (mine) => ({ params: costSource(mine), query: 'deleteCosts=true' }),
    foreign: notFound,
  },
  'POST /v1/analytics/cost-sources/:costSourceId/refresh': {
    good: (mine) => ({ params: costSource(mine), body: { dryRun: true } }),
    foreign: notFound,
  },
  'POST /v1/warehouses': {
    good: () => ({
      body: {
        ...{
          name: 'Lake',
          endpoint: 'http://127.0.0.1:9',
          region: 'auto',
          bucket: 'lake',
          prefix: 'shop',
          pathStyle: true,
        },
        ...{
          accessKeyId: 'key',
          secretAccessKey: 'secret',
          datasets: ['conversions'],
          startsOn: '2026-01-01',
          mode: 'off',
        },
      },
      headers: { 'idempotency-key': 'warehouse' },
    }),
    foreign: itsOwn,
  },
  'GET /v1/warehouses': { good: () => ({ query: 'pageSize=10' }), foreign: empty('warehouses') },
  'GET /v1/warehouses/:warehouseId': { good: (mine) => ({ params: warehouse(mine) }), foreign: notFound },
  'PATCH /v1/warehouses/:warehouseId': {
    good: (mine) => ({ params: warehouse(mine), body: { secretAccessKey: 'other', mode: 'off' } }),
    foreign: notFound,
  },
  'DELETE /v1/warehouses/:warehouseId': { good: (mine) => ({ params: warehouse(mine) }), foreign: notFound },
  'POST /v1/warehouses/:warehouseId/test': { good: (mine) => ({ params: warehouse(mine) }), foreign: notFound },
  'POST /v1/warehouses/:warehouseId/export': {
    good: (mine) => ({ params: warehouse(mine), body: { from: '2026-01-01', to: '2026-01-02' } }),
    foreign: notFound,
  },
  'PUT /v1/analytics/exchange-rates': {
    good: () => ({ body: { rates: [{ date: '2026-01-05', base: 'EUR', currency: 'USD', rate: 1.08 }] } }),
    foreign: itsOwn,
  },
  'GET /v1/analytics/exchange-rates': { good: () => ({ query: 'pageSize=10' }), foreign: empty('rates') },
  'GET /v1/analytics/channel-rules': { good: () => ({}), foreign: itsOwn },
  'PUT /v1/analytics/channel-rules': {
    good: () => ({
      body: {
        rules: [{ name: 'Brand', match: 'all', conditions: [{ field: 'source', operator: 'is', values: ['google'] }] }],
      },
    }),
    foreign: itsOwn,
  },
  'GET /v1/analytics/roas': {
    good: () => ({ query: 'from=2026-01-01&to=2026-02-01&by=landingPage&level=0.9&horizon=30d&curves=true' }),
    foreign: itsOwn,
  },
  'GET /v1/analytics/discrepancies': {
    good: () => ({ query: 'from=2026-01-01&to=2027-01-01&by=campaign' }),
    foreign: (answer) => {
      itsOwn(answer);
      assert.deepEqual(answer.body.rows, []);
    },
  },
  'GET /v1/analytics/ad-performance': {
    good: () => ({ query: 'from=2026-01-01&to=2026-02-01&by=campaign' }),
    foreign: itsOwn,
  },

  'POST /v1/tracking/check-first-party': {
    good: () => ({ body: { scriptUrl: 'https://shop.invalid/metrics/headwater.js', apiKey: 'hw_pk_none' } }),
    foreign: itsOwn,
  },
  'GET /v1/tracking/settings': { good: () => ({}), foreign: itsOwn },
  'PATCH /v1/tracking/settings': {
    good: () => ({ body: { excludedAddresses: ['192.0.2.0/24'] } }),
    foreign: itsOwn,
  },
  'POST /v1/visits': {
    good: ({ visitorId, sessionHash }) => ({
      body: { url: 'https://shop.example/trail-runner', visitorId, sessionHash },
    }),
    foreign: (answer, theirs) => {
      itsOwn(answer);
      assert.notEqual(answer.body.sessionId, theirs.sessionId);
    },
  },
  'POST /v1/events': {
    good: ({ sessionHash, email }) => ({ body: { event: 'order', properties: { sessionHash, email, value: 49.9 } } }),
    foreign: itsOwn,
  },
  'POST /v1/batch': {
    good: ({ sessionHash, clientEventId }) => ({
      body: {
        items: [
          { visit: { url: 'https://shop.example/cart', sessionHash } },
          { event: { event: 'add_to_cart', id: clientEventId, properties: { sessionHash } } },
        ],
      },
    }),
    foreign: (answer, theirs) => {
      itsOwn(answer);
      const [visit, event] = answer.body.results;
      assert.notEqual(visit.sessionId, theirs.sessionId);
      assert.notEqual(event.event_id, theirs.eventId, 'a retry is harmless within an account');
    },
  },

  'POST /v1/visitors/erase': {
    good: ({ anonymousVisitorId: visitorId }) => ({ body: { visitorId } }),
    foreign: itsOwn,
  },
  'POST /v1/leads/erase': { good: ({ email }) => ({ body: { email } }), foreign: itsOwn },

  'POST /v1/analytics/report-conversion': {
    good: ({ gclid, conversionEventId }) => ({
      body: { gclid, eventId: conversionEventId, value: 49.9, currency: 'EUR' },
    }),
    foreign: unmatched,
  },
  'POST /v1/analytics/report-conversion/dry-run': {
    good: ({ gclid, conversionEventId }) => ({
      body: { gclid, eventId: conversionEventId, value: 49.9, currency: 'EUR' },
    }),
    foreign: unmatched,
  },
  'POST /v1/conversions/imports': { good: () => ({ body: { name: 'orders.csv' } }), foreign: itsOwn },
  'GET /v1/conversions/imports': { good: () => ({ query: 'pageSize=10' }), foreign: empty('imports') },
  'GET /v1/conversions/imports/:importId': {
    good: ({ conversionImportId }) => ({ params: { importId: conversionImportId } }),
    foreign: notFound,
  },
  'POST /v1/conversions/imports/:importId/reports': {
    good: ({ conversionImportId, gclid }) => ({
      params: { importId: conversionImportId },
      body: [{ gclid, eventId: 'order-1002', value: 19.5, currency: 'EUR' }],
    }),
    foreign: notFound,
  },
  'POST /v1/conversions/imports/:importId/undo': {
    good: ({ conversionImportId }) => ({ params: { importId: conversionImportId } }),
    foreign: notFound,
  },
  'GET /v1/reconciliations': { good: () => ({ query: 'pageSize=10' }), foreign: empty('reconciliations') },
  'POST /v1/reconciliations': {
    good: () => {
      const statement = filePart('file', 'payouts.csv', Buffer.from('order id,amount,currency\r\n1,2,EUR\r\n'));
      return { query: 'provider=csv', body: statement.payload, headers: statement.headers };
    },
    foreign: itsOwn,
  },
  'GET /v1/reconciliations/:reconciliationId': {
    good: (mine) => ({ params: reconciliation(mine) }),
    foreign: notFound,
  },
  'GET /v1/reconciliations/:reconciliationId/lines': {
    good: (mine) => ({ params: reconciliation(mine), query: 'outcome=equal' }),
    foreign: notFound,
  },
  'POST /v1/reconciliations/:reconciliationId/apply': {
    good: (mine) => ({ params: reconciliation(mine), body: { outcomes: ['different'] } }),
    foreign: notFound,
  },
  'POST /v1/reconciliations/:reconciliationId/undo': {
    good: ({ appliedReconciliationId }) => ({ params: { reconciliationId: appliedReconciliationId } }),
    foreign: notFound,
  },
  'DELETE /v1/reconciliations/:reconciliationId': {
    good: ({ deletedReconciliationId }) => ({ params: { reconciliationId: deletedReconciliationId } }),
    foreign: notFound,
  },
  'GET /v1/analytics/report-conversion': {
    good: ({ sessionId, conversionEventId }) => ({
      query: `sessionId=${sessionId}&eventId=${conversionEventId}&value=49.90`,
    }),
    foreign: unmatched,
  },
  'GET /v1/sessions': {
    good: ({ gclid }) => ({ query: `q=${gclid}&pageSize=10&platform=gclid` }),
    foreign: empty('sessions'),
  },
  'GET /v1/sessions/:sessionId': {
    good: ({ sessionId }) => ({ params: { sessionId: String(sessionId) } }),
    foreign: notFound,
  },
  'GET /v1/leads': { good: ({ email }) => ({ query: `q=${email}` }), foreign: empty('leads') },
  'PATCH /v1/leads/:leadId': {
    good: ({ leadId }) => ({ params: { leadId }, body: { notes: 'Called on Monday' } }),
    foreign: notFound,
  },
  'GET /v1/leads/:leadId': { good: ({ leadId }) => ({ params: { leadId } }), foreign: notFound },
  'GET /v1/conversions': {
    good: ({ sessionId }) => ({ query: `sessionId=${sessionId}&currency=EUR` }),
    foreign: empty('conversions'),
  },
  'GET /v1/conversions/unmatched': {
    good: ({ unmatchedGclid }) => ({ query: `q=${unmatchedGclid}&identifier=gclid` }),
    foreign: empty('conversions'),
  },
  'PATCH /v1/conversions/unmatched/:conversionId': {
    good: ({ unmatchedId }) => ({
      params: { conversionId: unmatchedId },
      body: { identifier: { gclid: 'CjwKCAiA0eTJBhBaEiwA-Pa-hXk3' } },
    }),
    foreign: notFound,
  },
  'DELETE /v1/conversions/unmatched/:conversionId': {
    good: ({ unmatchedId }) => ({ params: { conversionId: unmatchedId } }),
    foreign: notFound,
  },
  'GET /v1/conversions/:conversionId': {
    good: ({ conversionId }) => ({ params: { conversionId } }),
    foreign: notFound,
  },
  'GET /v1/analytics/views': {
    good: () => ({ query: 'screen=overview' }),
    foreign: (answer) => {
      itsOwn(answer);
      assert.deepEqual(answer.body, { views: [] });
    },
  },
  'PUT /v1/analytics/views': {
    good: () => ({ body: { screen: 'funnels', name: 'Sign-up', state: { steps: [{ type: 'page', name: '/' }] } } }),
    foreign: itsOwn,
  },
  'DELETE /v1/analytics/views/:viewId': { good: ({ viewId }) => ({ params: { viewId } }), foreign: notFound },
  'GET /v1/analytics/ranked-sessions': {
    good: () => ({ query: 'from=2026-01-01&to=2030-01-01&sort=duration:desc' }),
    foreign: empty('sessions'),
  },
  'GET /v1/alerts': { good: () => ({}), foreign: empty('alerts') },
  'POST /v1/alerts': { good: () => ({ body: { preset: 'scriptSilent' } }), foreign: itsOwn },
  'GET /v1/alerts/:alertId': { good: (mine) => ({ params: alert(mine) }), foreign: notFound },
  'PATCH /v1/alerts/:alertId': { good: (mine) => ({ params: alert(mine), body: { percent: 50 } }), foreign: notFound },
  'DELETE /v1/alerts/:alertId': { good: (mine) => ({ params: alert(mine) }), foreign: notFound },
  'GET /v1/alerts/:alertId/incidents': { good: (mine) => ({ params: alert(mine) }), foreign: notFound },
  'GET /v1/experiments': { good: () => ({}), foreign: empty('experiments') },
  'POST /v1/experiments': {
    good: () => ({
      body: {
        key: 'headline',
        name: 'Headline',
        variants: [
          { key: 'a', weight: 0.5 },
          { key: 'b', weight: 0.5 },
        ],
        metric: { event: 'conversion', kind: 'conversions' },
      },
    }),
    foreign: (answer) => assert.deepEqual([answer.status, answer.body.code], [400, 'metric_unknown']),
  },
  'GET /v1/experiments/running': {
    good: () => ({}),
    foreign: ({ body }) => assert.deepEqual(body, { experiments: [] }),
  },
  'GET /v1/experiments/:experimentId': { good: (mine) => ({ params: experiment(mine) }), foreign: notFound },
  'PATCH /v1/experiments/:experimentId': {
    good: (mine) => ({ params: experiment(mine), body: { name: 'Headline of the shop' } }),
    foreign: notFound,
  },
  'POST /v1/experiments/:experimentId/start': {
    good: ({ experimentDraftId }) => ({ params: { experimentId: experimentDraftId } }),
    foreign: notFound,
  },
  'POST /v1/experiments/:experimentId/stop': { good: (mine) => ({ params: experiment(mine) }), foreign: notFound },
  'POST /v1/experiments/:experimentId/ship': {
    good: (mine) => ({ params: experiment(mine), body: { variant: 'b' } }),
    foreign: notFound,
  },
  'GET /v1/experiments/:experimentId/assignment': {
    good: (mine) => ({ params: experiment(mine), query: 'visitorId=visitor-ada' }),
    foreign: notFound,
  },
  'GET /v1/experiments/:experimentId/power': {
    good: (mine) => ({ params: experiment(mine), query: 'lift=0.05' }),
    foreign: notFound,
  },
  'GET /v1/experiments/:experimentId/results': {
    good: (mine) => ({ params: experiment(mine) }),
    foreign: notFound,
  },

  'GET /v1/analytics/annotations': {
    good: () => ({ query: 'from=2026-01-01&to=2027-01-01' }),
    foreign: (answer) => {
      itsOwn(answer);
      assert.deepEqual(answer.body, { annotations: [] });
    },
  },
  'POST /v1/analytics/annotations': {
    good: () => ({ body: { at: '2026-11-20', text: 'Summer sale' } }),
    foreign: itsOwn,
  },
  'PATCH /v1/analytics/annotations/:annotationId': {
    good: ({ annotationId }) => ({
      params: { annotationId },
      body: { at: '2026-11-21T08:00:00Z', text: 'Second week of the sale' },
    }),
    foreign: notFound,
  },
  'DELETE /v1/analytics/annotations/:annotationId': {
    good: ({ annotationId }) => ({ params: { annotationId } }),
    foreign: notFound,
  },
  'GET /v1/analytics/shared-links': {
    good: () => ({}),
    foreign: (answer) => {
      itsOwn(answer);
      assert.deepEqual(answer.body, { links: [] });
    },
  },
  'POST /v1/analytics/shared-links': {
    good: () => ({
      body: {
        name: 'Agency',
        password: 'a shared word',
        isInteractive: true,
        period: { preset: 'lastMonth' },
        compare: 'year',
        filters: { source: ['google', null], page: { contains: ['/blog'] } },
        funnel: { by: 'visitor', steps: [{ page: '/' }, { event: 'signup' }] },
      },
    }),
    foreign: itsOwn,
  },
  'PATCH /v1/analytics/shared-links/:linkId': {
    good: ({ sharedLinkId }) => ({
      params: { linkId: sharedLinkId },
      body: { name: 'Agency in Paris', password: null },
    }),
    foreign: notFound,
  },
  'DELETE /v1/analytics/shared-links/:linkId': {
    good: ({ sharedLinkId }) => ({ params: { linkId: sharedLinkId } }),
    foreign: notFound,
  },
  'GET /v1/analytics/timeline': { good: ({ leadId }) => ({ query: `leadId=${leadId}` }), foreign: notFound },
  'GET /v1/analytics/lead-values': {
    good: ({ leadId }) => ({ query: `leadId=${leadId}` }),
    foreign: (answer) => {
      itsOwn(answer);
      assert.deepEqual(answer.body, { leads: [] });
    },
  },
  'GET /v1/analytics/session-visits': {
    good: ({ sessionId }) => ({ query: `sessionId=${sessionId}` }),
    foreign: (answer) => {
      itsOwn(answer);
      assert.deepEqual(answer.body, { sessions: [] });
    },
  },
  'GET /v1/analytics/live': { good: () => ({}), foreign: itsOwn },
  'GET /v1/analytics/event-properties': {
    good: () => ({ query: 'from=2026-01-01&to=2030-01-01&event=signup&property=note' }),
    foreign: itsOwn,
  },
  'GET /v1/analytics/attribution': {
    good: () => ({ query: 'from=2026-01-01&to=2026-02-01&by=campaign&windowDays=7' }),
    foreign: itsOwn,
  },
  'GET /v1/analytics/unmatched': { good: () => ({ query: 'from=2026-01-01&to=2026-02-01' }), foreign: itsOwn },
  'GET /v1/analytics/overview': {
    good: () => ({ query: 'from=2026-01-01&to=2026-02-01&timeZone=Asia/Kathmandu&filter%5Bsource%5D=google' }),
    foreign: itsOwn,
  },
  'GET /v1/analytics/breakdown': {
    good: () => ({ query: 'from=2026-01-01&to=2026-02-01&by=source,event&order=sessions&limit=5' }),
    foreign: itsOwn,
  },
  'POST /v1/analytics/funnel': {
    good: () => ({
      body: { from: '2026-01-01', to: '2026-02-01', by: 'visitor', steps: [{ page: '/' }, { event: 'signup' }] },
    }),
    foreign: itsOwn,
  },
  'POST /v1/analytics/export': {
    good: () => ({ body: { dataset: 'events', format: 'ndjson', from: '2026-01-01', fields: ['eventId'] } }),
    foreign: (answer, theirs) => {
      itsOwn(answer);
      assert.notEqual(answer.body.id, theirs.jobId);
    },
  },
  'GET /v1/jobs/get-by-id': { good: ({ jobId }) => ({ query: `id=${jobId}` }), foreign: notFound },
  'POST /v1/graphql': {
    good: () => ({ body: { query: '{ __typename }' } }),
    foreign: itsOwn,
  },
  'GET /v1/graphql': {
    good: () => ({ query: `query=${encodeURIComponent('{ __typename }')}` }),
    foreign: itsOwn,
  },
  'GET /v1/webhooks/test-endpoint': { good: () => ({}), foreign: itsOwn },
  'DELETE /v1/webhooks/test-endpoint': { good: () => ({}), foreign: itsOwn },
  'POST /v1/plans/entry-changes': {
    good: (mine) => ({
      body: {
        operations: [
          { op: 'update', collection: mine.collectionId, id: mine.entryId, values: { title: 'Trail runner 4' } },
        ],
      },
    }),
    foreign: unknownInBody,
  },
  'POST /v1/plans/bulk-changes': {
    good: ({ collectionId }) => ({
      body: { op: 'update', collection: collectionId, where: {}, values: { title: 'Trail runner 4' } },
    }),
    foreign: unknownInBody,
  },
  'POST /v1/plans/conversions': {
    good: () => ({
      body: {
        reports: [{ gclid: 'CjwKCAiA0eTJBhBaEiwA-Pa-hXk4', eventId: 'order-1003', value: '49.90', currency: 'EUR' }],
      },
    }),
    foreign: itsOwn,
  },
  'POST /v1/plans/schema': {
    good: () => ({
      body: { schema: { locales: { default: 'en', locales: [{ locale: 'en' }, { locale: 'de' }, { locale: 'fr' }] } } },
    }),
    foreign: itsOwn,
  },
  'GET /v1/plans': { good: () => ({}), foreign: empty('plans') },
  'GET /v1/plans/:planId': { good: ({ planId }) => ({ params: { planId } }), foreign: notFound },
  'POST /v1/plans/:planId/apply': { good: ({ planId }) => ({ params: { planId } }), foreign: notFound },
  'POST /v1/plans/:planId/undo': {
    good: ({ appliedPlanId }) => ({ params: { planId: appliedPlanId } }),
    foreign: notFound,
  },
  'POST /v1/plans/:planId/dismiss': { good: ({ planId }) => ({ params: { planId } }), foreign: notFound },
  'POST /v1/sql': {
    good: () => ({ body: { query: 'select collection_id, "values" from entries', format: 'csv' } }),
    foreign: itsOwn,
  },
  'GET /v1/schema': {
    good: () => ({}),
    foreign: (answer) => {
      itsOwn(answer);
      assert.deepEqual(answer.body, {
        collections: [],
        components: [],
        locales: { default: null, locales: [] },
        roles: [],
        webhooks: [],
      });
    },
  },
  'PUT /v1/schema': {
    good: () => ({
      body: { locales: { default: 'en', locales: [{ locale: 'en' }, { locale: 'de', fallback: 'en' }] } },
    }),
    foreign: itsOwn,
  },
  'POST /v1/schema/undo/:undoId': {
    good: ({ schemaUndoId }) => ({ params: { undoId: schemaUndoId }, body: { allowDataLoss: true } }),
    foreign: notFound,
  },

  'POST /v1/webhooks': {
    good: () => ({
      body: { url: 'https://hooks.example/new', events: ['lead.created', 'event.recorded'], description: 'New leads' },
      headers: { 'idempotency-key': 'hook' },
    }),
    foreign: itsOwn,
  },
  'GET /v1/webhooks': { good: () => ({ query: 'pageSize=10' }), foreign: empty('webhooks') },
  'GET /v1/publish-hooks': {
    good: () => ({}),
    foreign: (answer) => {
      itsOwn(answer);
      assert.deepEqual(answer.body, { hooks: [] });
    },
  },
  'POST /v1/publish-hooks': {
    good: () => ({ body: { name: 'Legal', url: 'https://hooks.example/publish', enabled: false } }),
    foreign: itsOwn,
  },
  'PATCH /v1/publish-hooks/:hookId': {
    good: (mine) => ({ params: publishHook(mine), body: { name: 'Links', onError: 'publish' } }),
    foreign: notFound,
  },
  'DELETE /v1/publish-hooks/:hookId': { good: (mine) => ({ params: publishHook(mine) }), foreign: notFound },
  'POST /v1/publish-hooks/:hookId/test': { good: (mine) => ({ params: publishHook(mine) }), foreign: notFound },
  'GET /v1/webhooks/:id': { good: (mine) => ({ params: webhook(mine) }), foreign: notFound },
  'PATCH /v1/webhooks/:id': {
    good: (mine) => ({
      params: webhook(mine),
      body: { url: 'https://hooks.example/other', events: null, status: 'disabled' },
    }),
    foreign: notFound,
  },
  'DELETE /v1/webhooks/:id': { good: (mine) => ({ params: webhook(mine) }), foreign: notFound },
  'POST /v1/webhooks/:id/rotate-secret': { good: (mine) => ({ params: webhook(mine) }), foreign: notFound },
  'POST /v1/webhooks/:id/test': { good: (mine) => ({ params: webhook(mine) }), foreign: notFound },
  'POST /v1/webhooks/:id/replay': {
    good: (mine) => ({ params: webhook(mine), body: { deliveryId: mine.deliveryId } }),
    foreign: notFound,
  },
  'GET /v1/webhooks/:id/deliveries': {
    good: (mine) => ({ params: webhook(mine), query: 'status=pending&type=webhook.test&pageSize=10' }),
    foreign: notFound,
  },
  'GET /v1/webhooks/:id/deliveries/:deliveryId': {
    good: (mine) => ({ params: { ...webhook(mine), deliveryId: mine.deliveryId } }),
    foreign: notFound,
  },
  'GET /v1/destinations/platforms': { good: () => ({}), foreign: itsOwn },
  'POST /v1/destinations': {
    good: () => ({
      body: {
        platform: 'google',
        name: 'Google',
        credentials: {
          customerId: '1234567890',
          clientId: 'shop.apps.googleusercontent.com',
          clientSecret: 'secret',
          refreshToken: 'token',
        },
        mapping: [{ event: 'order', target: '123', value: 'fixed', amount: 5, currency: 'EUR' }],
        filter: { events: ['order'], sources: ['google'], minimumValue: '1.5' },
        consent: 'unless_denied',
        mode: 'validate',
        startAt: '2026-11-20T08:00:00Z',
        sendAfter: 3600,
      },
      headers: { 'idempotency-key': 'destination' },
    }),
    foreign: itsOwn,
  },
  'GET /v1/destinations': { good: () => ({ query: 'pageSize=10' }), foreign: empty('destinations') },
  'GET /v1/destinations/:id': { good: (mine) => ({ params: destination(mine) }), foreign: notFound },
  'PATCH /v1/destinations/:id': {
    good: (mine) => ({ params: destination(mine), body: { credentials: { accessToken: 'token' }, mode: 'off' } }),
    foreign: notFound,
  },
  'DELETE /v1/destinations/:id': { good: (mine) => ({ params: destination(mine) }), foreign: notFound },
  'GET /v1/destinations/:id/deliveries': {
    good: (mine) => ({ params: destination(mine), query: 'status=queued&pageSize=10' }),
    foreign: notFound,
  },
  'POST /v1/destinations/:id/dry-run': {
    good: (mine) => ({ params: destination(mine), body: { conversionId: mine.conversionId } }),
    foreign: notFound,
  },
  'POST /v1/destinations/:id/test': { good: (mine) => ({ params: destination(mine) }), foreign: notFound },
  'POST /v1/destinations/:id/replay': {
    good: (mine) => ({ params: destination(mine), body: { statuses: ['rejected', 'skipped'] } }),
    foreign: notFound,
  },
  'GET /v1/conversions/:conversionId/deliveries': {
    good: ({ conversionId }) => ({ params: { conversionId } }),
    foreign: notFound,
  },
  'GET /v1/queue-alarms': {
    good: () => ({}),
    foreign: (answer) => {
      itsOwn(answer);
      assert.deepEqual(answer.body, { alarms: [] });
    },
  },
  'POST /mcp': {
    good: () => ({
      body: { jsonrpc: '2.0', id: 1, method: 'ping' },
      headers: { accept: 'application/json, text/event-stream' },
    }),
    foreign: itsOwn,
  },
  'GET /v1/rejected-requests': { good: () => ({ query: 'code=required&pageSize=10' }), foreign: empty('requests') },
  'DELETE /v1/rejected-requests': { good: () => ({}), foreign: itsOwn },
  'GET /v1/sso': { good: () => ({}), foreign: itsOwn },
  'PUT /v1/sso': {
    good: () => ({
      body: {
        issuer: SSO.issuer,
        clientId: 'other',
        domains: [{ domain: SSO.domain }],
        roleMappings: [{ value: 'marketing', roleId: 'editor' }],
      },
    }),
    foreign: (answer) => assert.deepEqual([answer.status, answer.body.code], [400, 'client_secret_required']),
  },
  'POST /v1/sso/check': {
    good: () => ({}),
    foreign: (answer) => assert.deepEqual([answer.status, answer.body.code], [400, 'sso_not_configured']),
  },
  'DELETE /v1/sso': { good: () => ({}), foreign: itsOwn },

  'GET /v1/jobs': { good: () => ({ query: 'type=export&pageSize=10' }), foreign: empty('jobs') },
  'POST /v1/jobs/:id/cancel': { good: ({ jobId }) => ({ params: { id: jobId } }), foreign: notFound },
};

/** Routes without an account, or that need only their URL; a key does not scope them. */
export const OPEN = [
  // Of other processes, which prove that they have the secret of the instance.
  /^\/internal\/reports$/,
  /^\/$/,
  // The dashboard and its assets.
  /^\/:account\(\^acc_\\w\+\$\)(\/\*)?$/,
  /^\/(ad-costs|alerts|channels|connect-agent|content|conversions|destinations|experiments|exports|funnels|home|leads|overview|reconciliation|revenue|sessions|settings|webhooks)(\/\*)?$/,
  /^\/(files|icon\.svg|dashboard\/:name)$/,
  /^\/(first-run|invitation|reset-password|confirm-email|sso|share|embed)(\/\*)?$/,
  /^\/(guide(\/\*)?|llms\.txt|health(\/live|\/ready)?|metrics|openapi(-3\.0)?\.json)$/,
  /^\/docs(\/graphiql|\/reference\.js)?$/,
  /^\/headwater(-consent|-edit|-experiments)?(\.[0-9a-f]+)?\.js(on)?$/,
  /^\/files\/:key\/:name$/,
  // Authenticated by a token, in its own protocol: see tus.test.ts.
  /^\/files\/tus(\/:id)?$/,
  /^\/downloads\/exports\/:file$/,
  /^\/downloads\/imports\/:account\/:file$/,
  // For operators, whatever the account: see operators.test.ts.
  /^\/operator\/(backups(\/:name\/(check|archive))?|cells(\/:cell(\/accounts)?)?|moves(\/:account\/cancel)?)$/,
  // By the token in the URL: see arrivals.test.ts.
  /^\/webhook-tests\/:token$/,
  // By a code, or by nothing: see authorization.test.ts.
  /^\/(\.well-known\/oauth-.+|oauth\/(authorize|register|token))$/,
  // By the token that is revoked: see key-limits.test.ts.
  /^\/v1\/keys\/revoke-leaked$/,
  // By the token of a shared link: see sharing.test.ts.
  /^\/shared\/(report|unlock|overview|breakdown|annotations|funnel)$/,
  // Of who is not signed in, by what the provider of an account says: see sso.test.ts.
  /^\/auth\/sso(\/:accountId\/(start|callback))?$/,
  // Of a user alone; most need a code, a passkey or an email of their own: see security.test.ts.
  /^\/auth\/(two-factor\/(confirm|recovery-codes)|security\/reviews|passkeys(\/:passkeyId|\/sign-in(\/options)?)?|email(\/confirm)?|forgotten-password)$/,
  /^\/auth\/(session|sign-in|sign-out|reset-password|(first-run|invitations)\/inspect|first-run|invitations\/accept)$/,
];

/** Whether a route changes nothing: not the postback, which reports by GET. */
export const isRead = (route: string) =>
  /^(GET|HEAD) /.test(route) && !route.endsWith(' /v1/analytics/report-conversion');

export function pathOf(route: string, { params = {}, query }: GoodRequest): string {
  const path = route.replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? 'none'));
  return query === undefined ? path : `${path}?${query}`;
}
