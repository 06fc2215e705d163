// Slow: it builds and lints a package, and loads the engine of n8n.
/** Builds and lints the n8n nodes by n8n's own tools, and runs them by its engine against a service. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startReceiver } from '../../server/src/webhooks/test-support.ts';
import { until } from '../../server/test/until.ts';
import { TRIGGERS } from '../catalog.ts';
import { ARTICLES, startHeadwater } from './service.ts';

const PACKAGE = join(import.meta.dirname, '../n8n');
process.env.N8N_USER_FOLDER = mkdtempSync(join(tmpdir(), 'n8n-'));
const load = createRequire(join(PACKAGE, 'package.json'));

function n8nNode(command: string): void {
  const program = join(PACKAGE, 'node_modules/.bin/n8n-node');
  // Its rules behave otherwise in tests.
  const { NODE_ENV, NODE_TEST_CONTEXT, ...own } = process.env;
  const env = { ...own, PATH: `${join(PACKAGE, 'node_modules/.bin')}:${process.env.PATH}`, CI: 'true' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, command], {
    cwd: PACKAGE,
    env,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout + stderr);
  assert.doesNotMatch(stdout, /warning/i);
}

n8nNode('build');
test('the package passes the linter of n8n', () => n8nNode('lint'));

const { ExecutionLifecycleHooks, HookContext, WebhookContext, WorkflowExecute } = load('n8n-core');
const { ICredentialsHelper, Workflow } = load('n8n-workflow');
const { HeadwaterApi } = load('./dist/credentials/HeadwaterApi.credentials.js');
const { Headwater } = load('./dist/nodes/Headwater/Headwater.node.js');
const { HeadwaterTrigger } = load('./dist/nodes/HeadwaterTrigger/HeadwaterTrigger.node.js');

const service = await startHeadwater();
after(() => service.stop());
const receiver = await startReceiver();
const articles = await service.call('POST /v1/cms/collections', ARTICLES);

const triggerNode = new HeadwaterTrigger();
const types: Record<string, object> = { headwater: new Headwater(), headwaterTrigger: triggerNode };
const nodeTypes = {
  getByName: (name: string) => types[name],
  getByNameAndVersion: (name: string) => types[name],
  getKnownTypes: () => ({}),
};
const credentials = { url: `${service.url}/`, token: service.token };

/** What the server of n8n does with credentials: it decrypts them, and adds what their class declares to requests. */
class Credentials extends ICredentialsHelper {
  getParentTypes() {
    return [];
  }
  async getDecrypted() {
    return credentials;
  }
  // biome-ignore lint/suspicious/noExplicitAny: the types of n8n are not part of this repository
  async authenticate(_: unknown, __: string, options: any, workflow: any, node: unknown) {
    const { headers } = new HeadwaterApi().authenticate.properties;
    const resolved = Object.entries(headers).map(([name, value]) => [
      name,
      workflow.expression.getSimpleParameterValue(node, value, 'internal', { $credentials: credentials }),
    ]);
    return { ...options, headers: { ...options.headers, ...Object.fromEntries(resolved) } };
  }
  isCredentialUsableByNode() {
    return true;
  }
  async preAuthentication() {
    return undefined;
  }
  async runPreAuthentication() {
    return undefined;
  }
  getCredentialsProperties() {
    return new HeadwaterApi().properties;
  }
  async updateCredentials() {}
  async updateCredentialsOauthTokenData() {}
  async getCredentials() {
    return credentials;
  }
}

function workflowOf(type: string, parameters: object) {
  const node = {
    id: '1',
    name: 'Headwater',
    type,
    typeVersion: 1,
    position: [0, 0],
    parameters,
    webhookId: 'hook',
    credentials: { headwaterApi: { id: '1', name: 'Headwater' } },
  };
  const workflow = new Workflow({ id: '1', name: 'Check', nodes: [node], connections: {}, active: true, nodeTypes });
  const additionalData = {
    credentialsHelper: new Credentials(),
    hooks: new ExecutionLifecycleHooks('manual', '1', { id: '1', name: 'Check', nodes: [node], connections: {} }),
    webhookBaseUrl: new URL(receiver.url).origin,
    webhookTestBaseUrl: receiver.url,
    webhookWaitingBaseUrl: receiver.url,
    formWaitingBaseUrl: receiver.url,
    instanceBaseUrl: receiver.url,
    restApiUrl: receiver.url,
    variables: {},
    currentNodeParameters: undefined,
    executionId: '1',
    setExecutionStatus() {},
    sendDataToUI() {},
  };
  return { workflow, node: workflow.getNode('Headwater'), additionalData };
}

/** The items that a node returns in a workflow. @throws its error */
async function run(operation: string, parameters: object) {
  const resource = /Entr/.test(operation)
    ? 'entry'
    : /Conv/.test(operation)
      ? 'conversion'
      : operation.replace(/^find|^record|s$/g, '').toLowerCase();
  const { workflow, node, additionalData } = workflowOf('headwater', { resource, operation, ...parameters });
  const { data } = await new WorkflowExecute(additionalData, 'manual').run({ workflow, startNode: node });
  const { error, runData } = data.resultData;
  if (error) throw error;
  return runData.Headwater[0].data.main[0].map(({ json }: { json: object }) => json);
}

test('entries are created, updated, published and found, page by page', async () => {
  const collectionId = articles.id;
  const [entry] = await run('createEntry', { collectionId, values: '{"title":"Dry skin","price":12.5}' });
  assert.deepEqual(entry.values, { title: 'Dry skin', price: 12.5 });
  const entryId = entry.id;
  await run('updateEntry', { collectionId, entryId, values: { title: 'Oily skin' } });
  const [published] = await run('publishEntry', { collectionId, entryId });
  assert.equal(published.publishedVersion, 2);
  const found = await run('findEntries', {
    collectionId,
    returnAll: false,
    limit: 5,
    additionalFields: { q: 'oily', state: 'published' },
  });
  assert.deepEqual(
    found.map(({ id }: { id: string }) => id),
    [entryId],
  );
  const operations = Array.from({ length: 120 }, (_, n) => ({
    op: 'create',
    collection: collectionId,
    values: { title: `Entry ${n}` },
  }));
  await service.call('POST /v1/cms/batch', { operations });
  assert.equal((await run('findEntries', { collectionId, returnAll: true })).length, 121);
  assert.equal((await run('findEntries', { collectionId, returnAll: false, limit: 7 })).length, 7);
  await assert.rejects(run('createEntry', { collectionId, values: '{"price":"much"}' }), {
    message: /number/,
    httpCode: '400',
  });
});

test('conversions are reported, events recorded, and found', async () => {
  const sale = {
    identifier: 'gclid',
    identifierValue: 'n8n-1',
    additionalFields: { value: '12.90', currency: 'EUR', eventId: 'n-1', extra: '{"order":1}' },
  };
  assert.equal((await run('reportConversion', sale))[0].status, 'unmatched');
  const [unmatched] = await run('findUnmatchedConversions', {
    returnAll: false,
    limit: 5,
    additionalFields: { q: 'n-1' },
  });
  assert.deepEqual([unmatched.value, unmatched.extra], ['12.90', { order: 1 }]);
  // As a number of another node, 0 is a value, too.
  await run('reportConversion', { ...sale, additionalFields: { ...sale.additionalFields, value: 0, eventId: 'n-2' } });
  const [refund] = await run('findUnmatchedConversions', {
    returnAll: false,
    limit: 5,
    additionalFields: { q: 'n-2' },
  });
  assert.equal(refund.value, '0');
  const properties = '{"email":"ada@shop.example","value":20,"currency":"EUR"}';
  const [event] = await run('recordEvent', { event: 'call_booked', additionalFields: { properties } });
  assert.match(event.event_id, /^evt_/);
  const [lead] = await run('findLeads', { returnAll: false, limit: 5, additionalFields: { q: 'ada@' } });
  assert.equal(lead.email, 'ada@shop.example');
  assert.equal(
    (await run('findConversions', { returnAll: true, additionalFields: { event: 'call_booked' } }))[0].value,
    '20',
  );
});

function triggerOf(parameters: object) {
  const { workflow, node, additionalData } = workflowOf('headwaterTrigger', parameters);
  const webhookData = workflow.nodeTypes.getByNameAndVersion('headwaterTrigger').description.webhooks[0];
  const data = {
    httpMethod: 'POST',
    node: node.name,
    path: 'hook',
    webhookDescription: webhookData,
    workflowId: '1',
    workflowExecuteAdditionalData: additionalData,
  };
  const { checkExists, create, delete: remove } = triggerNode.webhookMethods.default;
  const hook = () => new HookContext(workflow, node, additionalData, 'trigger', 'activate', data);
  return {
    exists: () => checkExists.call(hook()),
    create: () => create.call(hook()),
    remove: () => remove.call(hook()),
    async receive({ text, headers, body }: (typeof receiver.received)[number]) {
      const responses: unknown[] = [];
      const response = { status: (status: number) => ({ send: () => ({ end: () => responses.push(status) }) }) };
      const httpRequest = { rawBody: Buffer.from(text), headers, body, query: {}, params: {} };
      const context = new WebhookContext(
        workflow,
        node,
        { ...additionalData, httpRequest, httpResponse: response },
        'webhook',
        data,
        [],
        null,
      );
      const { workflowData } = await triggerNode.webhook.call(context);
      return { items: workflowData?.[0]?.map(({ json }: { json: object }) => json), responses };
    },
  };
}

for (const { key, topics } of TRIGGERS) {
  test(`${key} subscribes to ${topics.join(', ')}, and unsubscribes`, async () => {
    const condition = [{ field: 'value', operator: 'gte', value: '10' }];
    const trigger = triggerOf({ trigger: key, filters: { condition } });
    assert.equal(await trigger.exists(), false);
    assert.equal(await trigger.create(), true);
    assert.equal(await trigger.exists(), true);
    const [webhook] = (await service.call('GET /v1/webhooks')).webhooks;
    assert.deepEqual(webhook.events, topics);
    assert.deepEqual(webhook.filters.at(-1), { field: 'value', operator: 'gte', value: 10 });
    assert.equal(await trigger.remove(), true);
    assert.deepEqual((await service.call('GET /v1/webhooks')).webhooks, []);
    assert.equal(await trigger.exists(), false);
  });
}

test('a webhook that was deleted in the dashboard is created again', async () => {
  const trigger = triggerOf({ trigger: 'leadCreated' });
  await trigger.create();
  const [webhook] = (await service.call('GET /v1/webhooks')).webhooks;
  await service.call(`DELETE /v1/webhooks/${webhook.id}`);
  assert.equal(await trigger.exists(), false);
  assert.equal(await trigger.remove(), true);
});

test('a message starts the workflow if it is signed, and not if it is forged', async () => {
  const trigger = triggerOf({ trigger: 'entryPublished', collectionIds: [articles.id] });
  await trigger.create();
  const [{ id }] = await run('createEntry', { collectionId: articles.id, values: '{"title":"News"}' });
  await run('publishEntry', { collectionId: articles.id, entryId: id });
  await until(() => receiver.received.length > 0);
  const [message] = receiver.received;
  assert.ok(message);
  const { items } = await trigger.receive(message);
  assert.deepEqual([items[0].type, items[0].data.values], ['entry.published', { title: 'News' }]);
  const forged = { ...message, text: message.text.replace('News', 'Fake') };
  const old = { ...message, headers: { ...message.headers, 'webhook-timestamp': '1700000000' } };
  for (const each of [forged, old])
    assert.deepEqual(await trigger.receive(each), { items: undefined, responses: [401] });
  await trigger.remove();
});
