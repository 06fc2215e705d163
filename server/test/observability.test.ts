/** Metrics, alert rules, dashboard, traces and the diagnosis. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { diagnose } from '../src/doctor/index.ts';
import { emptyDatabase } from './empty-database.ts';
import { command, newDataDir, startService } from './service-process.ts';
import { until } from './until.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy');
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
const skip = hasPromtool ? false : 'promtool is not installed (apt-get install prometheus)';

interface ExportedSpan {
  name: string;
  traceId: string;
  parentSpanId: string;
  attributes: { key: string; value: Record<string, unknown> }[];
}

const spans: ExportedSpan[] = [];
let exported = '';
const collector = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    exported += body;
    for (const { scopeSpans } of JSON.parse(body).resourceSpans)
      for (const scope of scopeSpans) spans.push(...scope.spans);
    response.setHeader('content-type', 'application/json').end('{}');
  });
});
await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
after(() => collector.close());
const { port } = collector.address() as { port: number };

const dataDir = newDataDir();
const service = await startService({
  DATA_DIR: dataDir,
  DATABASE_URL: await emptyDatabase(),
  BACKUP_URL: join(newDataDir(), 'backups'),
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
  OTEL_BSP_SCHEDULE_DELAY: '100',
});
const TRACE = '0af7651916cd43dd8448eb211c80319c';
await fetch(`${service.url}/v1/cms/collections/col_secret?key=hw_pb_secret`, {
  headers: { traceparent: `00-${TRACE}-b7ad6b7169203331-01` },
});
const metrics = await (await fetch(`${service.url}/metrics`)).text();

test('metrics follow the conventions of Prometheus', { skip }, () => {
  const found = spawnSync('promtool', ['check', 'metrics'], { input: metrics, encoding: 'utf8' });
  // Node's own metrics are named by prom-client.
  const faults = `${found.stdout}${found.stderr}`.split('\n').filter((line) => line.startsWith('headwater_'));
  assert.deepEqual(faults, []);
});

test('alert rules are valid, and fire when they should', { skip }, () => {
  const options = { cwd: join(DEPLOY, 'prometheus'), encoding: 'utf8' as const };
  execFileSync('promtool', ['check', 'rules', 'alerts.yml'], options);
  execFileSync('promtool', ['test', 'rules', 'alerts.test.yml'], options);
});

test('every metric of the alerts and of the dashboard exists', () => {
  const texts = ['prometheus/alerts.yml', 'grafana/headwater.json'].map((file) =>
    readFileSync(join(DEPLOY, file), 'utf8'),
  );
  const used = new Set(texts.join('\n').match(/\b(?:headwater|nodejs|process)_[a-z0-9_]+/g));
  assert.ok(used.size > 15);
  const exists = new Set<string>();
  for (const [, name = '', type] of metrics.matchAll(/^# TYPE (\S+) (\w+)$/gm)) {
    for (const suffix of type === 'histogram' ? ['_sum', '_count', '_bucket'] : ['']) exists.add(name + suffix);
  }
  // These exist with continuous backups, whose test reads them.
  for (const name of ['log_until_timestamp_seconds', 'log_gaps_total', 'log_failures_total'])
    exists.add(`headwater_backup_${name}`);
  assert.deepEqual(
    [...used].filter((name) => !exists.has(name)),
    [],
  );
});

test('a request is traced as part of the trace of its client, without what the client sent', async () => {
  await until(() => spans.some(({ traceId }) => traceId === TRACE));
  const span = spans.find(({ traceId }) => traceId === TRACE);
  assert.equal(span?.name, 'GET /v1/cms/collections/:collectionId');
  assert.equal(span?.parentSpanId, 'b7ad6b7169203331');
  const status = span?.attributes.find(({ key }) => key === 'http.response.status_code');
  assert.deepEqual(status?.value, { intValue: 401 });
  assert.doesNotMatch(exported, /secret/);
});

test('liveness and readiness are reported separately', async () => {
  for (const path of ['/health', '/health/live', '/health/ready']) {
    const response = await fetch(`${service.url}${path}`);
    assert.deepEqual([response.status, await response.json()], [200, { status: 'ok' }], path);
  }
});

test('the doctor finds nothing wrong with a service that works, and names what is', async () => {
  const env = { DATA_DIR: dataDir, PORT: new URL(service.url).port, DATABASE_URL: await emptyDatabase() };
  const healthy = await diagnose(env);
  const statusOf = Object.fromEntries(healthy.findings.map(({ check, status }) => [check, status]));
  // The tests' PostgreSQL does not flush to disk, and this is found.
  assert.equal(statusOf.durability, 'error');
  const { durability: _, ...others } = statusOf;
  assert.ok(!Object.values(others).includes('error'), JSON.stringify(healthy.findings));
  assert.equal(statusOf.service, 'ok');
  assert.equal(statusOf.schema, 'warning');

  const unreachable = await diagnose({ ...env, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
  const finding = unreachable.findings.find(({ check }) => check === 'database');
  assert.deepEqual([unreachable.isHealthy, finding?.status], [false, 'error']);
  const invalid = await diagnose({ PORT: 'x' });
  assert.deepEqual(
    invalid.findings.map(({ check, status }) => [check, status]),
    [['configuration', 'error']],
  );
  const { code, stdout } = await command(['doctor'], { ...env, STORAGE_URL: '/dev/null/files' });
  assert.equal(code, 1);
  assert.match(stdout, /^error +file storage +A file cannot be written/m);
});
