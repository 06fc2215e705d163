import assert from 'node:assert/strict';
import { parseId } from '../src/shared/ids.ts';
import type { Account, ServiceUnderTest, TestService } from './harness.ts';
import { createTestUser, newSession, type TestUser } from './users.ts';

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
  assetPath: string;
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
  /** A signed-in owner. */
  owner: TestUser;
  /** Another owner. */
  colleague: TestUser;
  /** Another session of the owner. */
  otherSessionId: string;
  keyId: string;
  invitationId: string;
  webhookId: string;
  deliveryId: string;
  destinationId: string;
  pageToken: string;
}

/** An image of one pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Field ids of the furnished collection, one of each type. */
export const FIELDS = ['title', 'count', 'on', 'day', 'at', 'link', 'cover', 'kind', 'seo', 'tags'];

export async function furnish(service: ServiceUnderTest, name: string): Promise<Furnished> {
  const marker = `hidden-${name}`;
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
    fields: [
      { id: 'title', label: 'Title', type: 'text', required: true, unique: true, localized: true },
      { id: 'note', label: 'Note', type: 'text', private: true },
    ],
  });
  const ofDrafts = `/v1/cms/collections/${drafts.id}/entries`;
  const draft = await post(ofDrafts, { values: { title: marker, 'title@de': `${marker} de`, note: marker } });
  await post(`${ofDrafts}/${draft.id}/publish`, {});
  await service.call(`PATCH ${ofDrafts}/${draft.id}`, { as: account, body: { values: { title: `${marker} draft` } } });
  const { id: commentId } = await post(`${ofDrafts}/${draft.id}/comments`, { text: marker });
  const { id: releaseId } = await post('/v1/cms/releases', {
    name: marker,
    items: [{ collectionId: drafts.id, entryId: draft.id, version: 1 }],
  });
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
  const view = await service.call('PUT /v1/analytics/views', {
    as: account,
    body: { screen: 'overview', name: marker, state: {} },
  });
  const { id: annotationId } = await post('/v1/analytics/annotations', { at: '2026-06-01', text: marker });
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
  const keyId = await made('/v1/keys', { name: marker, type: 'postback' });
  const invitationId = await made('/v1/invitations', { role: 'viewer', email: `${marker}@users.example` });
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
  const leads = await service.call(`GET /v1/leads?q=${encodeURIComponent(email)}`, { as: account });
  return {
    ...account,
    owner,
    colleague,
    otherSessionId,
    keyId,
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
    assetPath: new URL(url).pathname,
    sessionId: visit.sessionId,
    sessionHash,
    shortSessionHash: visit.shortSessionHash,
    visitorId: visit.visitorId,
    anonymousVisitorId: anonymous.visitorId,
    gclid,
    unmatchedGclid,
    viewId: view.body.id,
    sharedLinkId,
    annotationId,
    unmatchedId: waiting.body.conversions[0].id,
    eventId: event.event_id,
    clientEventId,
    conversionId: conversion._id,
    conversionEventId,
    conversionImportId,
    email,
    leadId: leads.body.leads[0].id,
    jobId: job.id,
    importId: await newImport('upload'),
    dryRunImportId: await newImport('dry_run'),
    importedImportId: await newImport('import'),
    webhookId: webhook.id,
    deliveryId: delivery.id,
    destinationId: destination.id,
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

/** A digest of every row of an account, by table, without the time of use of its keys. */
export async function rowsOf({ db }: TestService, account: Account): Promise<Record<string, string>> {
  const { rows: tables } = await db.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = current_schema() and column_name = 'account_id' and table_name <> 'api_keys' order by table_name`,
  );
  const digests: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await db.query(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, e'\\n' order by t::text)), '') as digest
       from ${name} as t where account_id = $1`,
      [account.uuid],
    );
    digests[name] = rows[0].digest;
  }
  return digests;
}
