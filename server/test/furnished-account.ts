import assert from 'node:assert/strict';
import { parseId } from '../src/shared/ids.ts';
import type { Account, ServiceUnderTest, TestService } from './harness.ts';
import { createTestUser, newSession, type TestUser } from './users.ts';

/** The single sign-on of every furnished account. */
export const SSO = { issuer: 'https://login.sso.example', domain: 'sso.example' };

/** An account with one resource of each type. */
export interface Furnished extends Account {
  /** Part of every text of the account, except those that requests must name. */
  marker: string;
  collectionId: string;
  entryId: string;
  /** A collection with publishing, and a published entry of it with a draft. */
  draftsId: string;
  releaseId: string;
  commentId: string;
  draftId: string;
  trashedCollectionId: string;
  assetId: string;
  /** An empty folder of files. */
  folderId: string;
  /** A view of the collection that all members see. */
  entryViewId: string;
  assetPath: string;
  componentId: string;
  /** A public collection with one entry. */
  singletonId: string;
  /** A collection with a manual order, and one of its entries. */
  orderedId: string;
  orderedEntryId: string;
  sessionId: number;
  sessionHash: string;
  shortSessionHash: string;
  visitorId: string;
  /** Of a visitor without an email. */
  anonymousVisitorId: string;
  gclid: string;
  unmatchedGclid: string;
  unmatchedId: string;
  viewId: string;
  sharedLinkId: string;
  annotationId: string;
  experimentId: string;
  alertId: string;
  /** A plan that waits, and one that was applied. */
  planId: string;
  appliedPlanId: string;
  reconciliationId: string;
  appliedReconciliationId: string;
  deletedReconciliationId: string;
  experimentDraftId: string;
  eventId: string;
  clientEventId: string;
  conversionId: string;
  conversionEventId: string;
  conversionImportId: string;
  email: string;
  leadId: string;
  jobId: string;
  /** Imports after each stage: uploaded, dry run, imported. */
  importId: string;
  dryRunImportId: string;
  importedImportId: string;
  /** Of a change of several entries. */
  undoId: string;
  schemaUndoId: string;
  roleId: string;
  /** A signed-in owner. */
  owner: TestUser;
  /** Another owner. */
  colleague: TestUser;
  /** Another session of the owner. */
  otherSessionId: string;
  keyId: string;
  /** What an agent asks for. */
  agent: { clientId: string; redirectUri: string; codeChallenge: string };
  invitationId: string;
  webhookId: string;
  publishHookId: string;
  deliveryId: string;
  destinationId: string;
  costSourceId: string;
  warehouseId: string;
  pageToken: string;
}

/** An image of one pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Field ids of the furnished collection, one of each type. */
export const FIELDS = ['title', 'count', 'on', 'day', 'at', 'link', 'cover', 'kind', 'seo', 'tags'];

export async function furnish(service: ServiceUnderTest, name: string, marker = `hidden-${name}`): Promise<Furnished> {
  const account = await service.newAccount(marker);
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const answer = await service.call(`POST ${path}`, { as: account, body, headers });
    assert.equal(answer.status, 200, `POST ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const collection = await post('/v1/cms/collections', {
    name: marker,
    description: marker,
    displayFieldId: 'title',
    defaultSort: { fieldId: 'title', direction: 'asc' },
    fields: [
      { id: 'title', label: 'Title', type: 'text' },
      { id: 'count', label: 'Count', type: 'number' },
      { id: 'on', label: 'On', type: 'boolean' },
      { id: 'day', label: 'Day', type: 'date' },
      { id: 'at', label: 'At', type: 'timestamp' },
      { id: 'link', label: 'Link', type: 'url' },
      { id: 'cover', label: 'Cover', type: 'asset' },
      { id: 'kind', label: 'Kind', type: 'select', options: [{ value: 'a', label: 'A' }] },
      { id: 'seo', label: 'SEO', type: 'group', fields: [{ id: 'text', label: 'Text', type: 'text' }] },
      { id: 'tags', label: 'Tags', type: 'text', repeated: true },
    ],
  });
  const { payload, headers } = filePart('file', `${marker}.png`, PNG);
  const upload = await service.call('POST /v1/files/upload', { as: account, body: payload, headers });
  assert.equal(upload.status, 200, JSON.stringify(upload.body));
  const { assetId, url } = upload.body;
  const { id: folderId } = await post('/v1/folders', { name: marker });
  const entries = `/v1/cms/collections/${collection.id}/entries`;
  const values = { title: marker, count: 7, cover: { assetId }, kind: 'a', seo: { text: marker }, tags: [marker] };
  const entry = await post(entries, { values });
  await post(entries, { values });
  await post(`${entries}/${entry.id}/versions/1/restore`, {});
  const remove = (path: string) => service.call(`DELETE ${path}`, { as: account });
  await remove(`${entries}/${(await post(entries, { values })).id}`);
  const locales = { default: 'en', locales: [{ locale: 'en' }, { locale: 'de' }] };
  const listed = await service.call('PUT /v1/cms/locales', { as: account, body: locales });
  assert.equal(listed.status, 200, JSON.stringify(listed.body));
  const drafts = await post('/v1/cms/collections', {
    name: `${marker} drafts`,
    publishing: true,
    public: true,
    previewUrl: 'https://shop.example/{slug}?preview={token}',
    urlPattern: '/{locale}/{id}',
    fields: [
      { id: 'title', label: 'Title', type: 'text', required: true, unique: true, localized: true },
      { id: 'note', label: 'Note', type: 'text', private: true },
    ],
  });
  const ofDrafts = `/v1/cms/collections/${drafts.id}/entries`;
  const many = { where: { count: { eq: 3 } }, values: { count: 8 } };
  await post(entries, { values: { ...values, count: 3 } });
  const { undoId } = await post(`${entries}/update-many`, many);
  const draft = await post(ofDrafts, { values: { title: marker, 'title@de': `${marker} de`, note: marker } });
  await post(`${ofDrafts}/${draft.id}/publish`, {});
  await service.call(`PATCH ${ofDrafts}/${draft.id}`, { as: account, body: { values: { title: `${marker} draft` } } });
  const { id: commentId } = await post(`${ofDrafts}/${draft.id}/comments`, { text: marker });
  const { id: releaseId } = await post('/v1/cms/releases', {
    name: marker,
    items: [{ collectionId: drafts.id, entryId: draft.id, version: 1 }],
  });
  const fields = [{ id: 'title', label: marker, type: 'text' }];
  const isPublic = { publishing: true, public: true };
  const singleton = await post('/v1/cms/collections', { name: `${marker} one`, singleton: true, ...isPublic, fields });
  const ofSingleton = `/v1/cms/collections/${singleton.id}`;
  const single = await service.call(`PATCH ${ofSingleton}/entry`, { as: account, body: { values: { title: marker } } });
  await post(`${ofSingleton}/entries/${single.body.id}/publish`, {});
  const ordered = await post('/v1/cms/collections', { name: `${marker} ordered`, ordering: 'manual', fields });
  const inOrder = await post(`/v1/cms/collections/${ordered.id}/entries`, { values: { title: marker } });
  const componentFields = [{ id: 'text', label: marker, type: 'text' }];
  const { id: componentId } = await post('/v1/cms/components', { name: marker, key: 'parts', fields: componentFields });
  const trashed = await post('/v1/cms/collections', { name: `${marker} gone`, fields: [] });
  await remove(`/v1/cms/collections/${trashed.id}`);
  const page = await service.call(`GET ${entries}?pageSize=1`, { as: account });

  const { apiKey: api_key } = account;
  const gclid = `gclid-${name}`;
  const visit = await post('/v1/visits', {
    api_key,
    url: `https://shop.example/?gclid=${gclid}&utm_campaign=${marker}`,
    visitorId: `visitor-${name}`,
  });
  const anonymous = await post('/v1/visits', {
    api_key,
    url: `https://shop.example/?utm_campaign=${marker}`,
    visitorId: `anonymous-${name}`,
  });
  const email = `${name}@shop.example`;
  const clientEventId = `event-${name}`;
  const { sessionHash } = visit;
  const properties = { email, value: 5, sessionHash, note: marker };
  const event = await post('/v1/events', { api_key, event: 'signup', id: clientEventId, properties });
  const conversionEventId = `order-${name}`;
  const extra = { note: marker };
  const report = '/v1/analytics/report-conversion';
  const conversion = await post(report, { gclid, eventId: conversionEventId, value: 10, currency: 'EUR', extra });
  assert.equal(conversion.status, 'reported');
  const unmatchedGclid = `unmatched-${name}`;
  await post(report, { gclid: unmatchedGclid, value: 1, extra });
  const waiting = await service.call('GET /v1/conversions/unmatched', { as: account });
  const { id: conversionImportId } = await post('/v1/conversions/imports', { name: marker });
  const newReconciliation = async (isApplied: boolean) => {
    const statement = filePart('file', `${marker}.csv`, Buffer.from('order id,amount,currency\r\n1,2,EUR\r\n'));
    const { payload: body, headers } = statement;
    const sent = await service.call('POST /v1/reconciliations?provider=csv', { as: account, body, headers });
    assert.equal(sent.status, 200, JSON.stringify(sent.body));
    const { id: importId } = await post('/v1/conversions/imports', { name: marker });
    // As its jobs leave it.
    const result = { rows: 1, ignored: 0, faulty: 0, from: null, to: null, outcomes: sent.body.outcomes };
    await service.db.query('update reconciliations set result = $2, import_id = $3, is_applied = $4 where id = $1', [
      parseId('rec', sent.body.id),
      JSON.stringify(result),
      isApplied ? parseId('imp', importId) : null,
      isApplied,
    ]);
    return sent.body.id;
  };
  const view = await service.call('PUT /v1/analytics/views', {
    as: account,
    body: { screen: 'overview', name: marker, state: {} },
  });
  const entryView = await service.call(`PUT /v1/cms/collections/${collection.id}/views`, {
    as: account,
    body: { name: marker, shared: true, state: {} },
  });
  const { id: annotationId } = await post('/v1/analytics/annotations', { at: '2026-06-01', text: marker });
  const experiment = (key: string) => ({
    key,
    name: marker,
    variants: [
      { key: 'a', weight: 0.5 },
      { key: 'b', weight: 0.5 },
    ],
    metric: { event: 'conversion', kind: 'revenue' },
  });
  const deletion = async () => {
    const operations = [{ op: 'delete', collection: collection.id, id: (await post(entries, { values })).id }];
    return (await post('/v1/plans/entry-changes', { operations })).id;
  };
  const appliedPlanId = await deletion();
  await post(`/v1/plans/${appliedPlanId}/apply`, {});
  const operations = [
    { op: 'update', collection: collection.id, id: entry.id, values: { title: `${marker} planned` } },
  ];
  const { id: planId } = await post('/v1/plans/entry-changes', { operations });
  const { id: alertId } = await post('/v1/alerts', { preset: 'salesDrop', name: marker });
  const { id: experimentDraftId } = await post('/v1/experiments', experiment(`draft-${marker}`));
  const { id: experimentId } = await post('/v1/experiments', experiment(`running-${marker}`));
  await post(`/v1/experiments/${experimentId}/start`, {});
  const { id: sharedLinkId } = await post('/v1/analytics/shared-links', {
    name: marker,
    period: { preset: 'month' },
    filters: { campaign: [marker] },
  });
  const job = await post('/v1/analytics/export', { dataset: 'conversions', format: 'csv' });
  const imports = `/v1/cms/collections/${collection.id}/imports`;
  const sheet = filePart('file', `${marker}.csv`, Buffer.from(`id,title\r\n,${marker}\r\n`));
  const newImport = async (stage: 'upload' | 'dry_run' | 'import') => {
    const { payload: body, headers } = sheet;
    const sent = await service.call(`POST ${imports}`, { as: account, body, headers });
    assert.equal(sent.status, 200, JSON.stringify(sent.body));
    // As its job leaves it.
    const mapping = JSON.stringify({ columns: [null, { field: 'title' }], idColumn: 0 });
    await service.db.query('update entry_imports set stage = $2, is_stage_done = true, mapping = $3 where id = $1', [
      parseId('imp', sent.body.id),
      stage,
      mapping,
    ]);
    return sent.body.id;
  };
  const owner = await createTestUser(service, account, 'owner', `${marker}-owner`);
  const colleague = await createTestUser(service, account, 'owner', `${marker}-colleague`);
  const { sessionId: otherSessionId } = await newSession(service, owner.uuid);
  const made = async (path: string, body: unknown) => {
    const answer = await service.call(`POST ${path}`, { by: owner, body });
    assert.equal(answer.status, 200, `POST ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.id;
  };
  const roleId = await made('/v1/roles', { name: marker, permissions: [{ collection: '*', actions: ['read'] }] });
  const keyId = await made('/v1/keys', { name: marker, type: 'postback' });
  const redirectUri = 'https://agent.example/callback';
  const registered = await service.call('POST /oauth/register', { body: { redirect_uris: [redirectUri] } });
  const agent = { clientId: registered.body.client_id, redirectUri, codeChallenge: 'c'.repeat(43) };
  const invitationId = await made('/v1/invitations', { role: 'viewer', email: `${marker}@users.example` });
  // Its secret cannot be read, so that nothing is sent anywhere.
  await service.control.query(
    `with connection as (
       insert into sso_connections (account_id, issuer, client_id, client_secret, name, scopes, role_claim, role_mappings,
         is_required, created_at, updated_at)
       values ($1, $2, 'headwater', '', $3, '{}', 'groups', '[{"value": "x", "roleId": "editor"}]', false, now(), now())
       returning account_id)
     insert into sso_domains (account_id, domain, proven_at) select account_id, $4, now() from connection`,
    [account.uuid, SSO.issuer, marker, SSO.domain],
  );
  const hooked = { name: marker, url: `https://hooks.example/publish-${marker}`, enabled: false };
  const publishHook = await post('/v1/publish-hooks', hooked);
  const webhook = await post('/v1/webhooks', { url: `https://hooks.example/${marker}`, description: marker });
  const delivery = await post(`/v1/webhooks/${webhook.id}/test`, undefined);
  // It starts late, so that a test whose workers run sends nothing.
  const destination = await post('/v1/destinations', {
    platform: 'meta',
    name: marker,
    credentials: { pixelId: '123456', accessToken: `token-${marker}` },
    mapping: [{ event: '*', target: 'Purchase' }],
    consent: 'required',
    mode: 'live',
    startAt: '2100-01-01T00:00:00Z',
  });
  const costSource = await post('/v1/analytics/cost-sources', {
    ...{ platform: 'meta', name: marker, mode: 'off' },
    credentials: { adAccountId: '123456', accessToken: `token-${marker}` },
  });
  const warehouse = await post('/v1/warehouses', {
    ...{ name: marker, region: 'eu-1', bucket: 'bucket', mode: 'off' },
    ...{ accessKeyId: 'key', secretAccessKey: `secret-${marker}` },
  });
  // Nothing is sent anywhere, whatever addresses the service allows.
  await service.db.query("update warehouses set endpoint = 'http://127.0.0.1:9' where account_id = $1", [account.uuid]);
  const pushed = await service.call('PUT /v1/schema', {
    as: account,
    body: { webhooks: await withAnother(service, account, marker) },
  });
  assert.equal(pushed.status, 200, JSON.stringify(pushed.body));
  const leads = await service.call(`GET /v1/leads?q=${encodeURIComponent(email)}`, { as: account });
  return {
    ...account,
    owner,
    colleague,
    otherSessionId,
    keyId,
    agent,
    roleId,
    invitationId,
    marker,
    collectionId: collection.id,
    entryId: entry.id,
    draftsId: drafts.id,
    releaseId,
    commentId,
    draftId: draft.id,
    trashedCollectionId: trashed.id,
    assetId,
    folderId,
    assetPath: new URL(url).pathname,
    sessionId: visit.sessionId,
    sessionHash,
    shortSessionHash: visit.shortSessionHash,
    visitorId: visit.visitorId,
    anonymousVisitorId: anonymous.visitorId,
    gclid,
    unmatchedGclid,
    viewId: view.body.id,
    entryViewId: entryView.body.id,
    sharedLinkId,
    annotationId,
    experimentId,
    experimentDraftId,
    alertId,
    planId,
    appliedPlanId,
    unmatchedId: waiting.body.conversions[0].id,
    componentId,
    singletonId: singleton.id,
    orderedId: ordered.id,
    orderedEntryId: inOrder.id,
    eventId: event.event_id,
    clientEventId,
    conversionId: conversion._id,
    conversionEventId,
    conversionImportId,
    reconciliationId: await newReconciliation(false),
    appliedReconciliationId: await newReconciliation(true),
    deletedReconciliationId: await newReconciliation(false),
    email,
    leadId: leads.body.leads[0].id,
    jobId: job.id,
    undoId,
    schemaUndoId: pushed.body.undoId,
    importId: await newImport('upload'),
    dryRunImportId: await newImport('dry_run'),
    importedImportId: await newImport('import'),
    webhookId: webhook.id,
    publishHookId: publishHook.id,
    deliveryId: delivery.id,
    destinationId: destination.id,
    costSourceId: costSource.id,
    warehouseId: warehouse.id,
    pageToken: page.body.nextPageToken,
  };
}

/** A multipart body of one part. */
export function filePart(name: string, fileName: string, content: Buffer, boundary = 'part-of-a-test') {
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="${name}"; filename="${fileName}"\r\n\r\n`;
  return {
    payload: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}

/** The statement of `rowsOf`, by database: one for all tables, as a hundred take ten times as long. */
const digests = new WeakMap<TestService['db'], Promise<string>>();

/** A digest of every row of an account, by table, without the time of use of its keys. */
export async function rowsOf({ db }: TestService, account: Account): Promise<Record<string, string>> {
  const text = await digests.getOrInsertComputed(db, () => digestStatement(db));
  // Planned once for each connection, which takes many times as long as to execute it.
  const { rows } = await db.transaction(
    (tx) => tx.query<{ name: string; digest: string }>({ name: 'rows of an account', text, values: [account.uuid] }),
    { keepsPlans: true },
  );
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

/** Without what an account's own reading leaves: when its reports were read, and the numbers of its changes, given when they are first read. */
export function unlessRead(rows: Record<string, string>): Record<string, string> {
  const { analytics_readers: _readers, publication_changes: _changes, publication_feeds: _feeds, ...others } = rows;
  return others;
}

async function digestStatement(db: TestService['db']): Promise<string> {
  // A partition is part of its table.
  const { rows } = await db.query<{ name: string }>(
    `select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
       and attname = 'account_id' and not attisdropped and relname <> 'api_keys' order by relname`,
  );
  // A sum of hashes of 64 bits needs no order, which takes three times as long.
  const ofTable = (name: string) =>
    `select '${name}' as name, count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) as digest
     from ${name} as t where account_id = $1`;
  return rows.map(({ name }) => ofTable(name)).join(' union all ');
}

/** The webhooks of an account in a schema, and one more. */
async function withAnother(service: ServiceUnderTest, account: Account, marker: string): Promise<unknown[]> {
  const { body } = await service.call('GET /v1/schema', { as: account });
  return [...body.webhooks, { url: `https://hooks.example/${marker}/schema`, status: 'disabled' }];
}
