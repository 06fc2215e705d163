import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { filePart } from '../../test/furnished-account.ts';
import { contentService } from '../content/test-support.ts';
import { parseId } from '../shared/ids.ts';
import { runRows } from './run/run-rows.ts';
import { StageError } from './run/stage-run.ts';

/** `MUTATED_FILES=10000` tries more. */
const FILES = Number(process.env.MUTATED_FILES ?? 60);

const service = await contentService();
const { ok, newCollection, db } = service;

const FIELDS = [
  { id: 'title', label: 'Title', type: 'text', unique: true },
  { id: 'price', label: 'Price', type: 'number' },
  { id: 'exact', label: 'Exact', type: 'number', format: 'decimal' },
  { id: 'day', label: 'Day', type: 'date' },
  { id: 'at', label: 'At', type: 'timestamp' },
  { id: 'live', label: 'Live', type: 'boolean' },
  { id: 'kind', label: 'Kind', type: 'select', options: [{ value: 'a', label: 'A' }] },
  { id: 'tags', label: 'Tags', type: 'text', repeated: true },
  { id: 'link', label: 'Link', type: 'url' },
  { id: 'cover', label: 'Cover', type: 'asset' },
  { id: 'parts', label: 'Parts', type: 'group', repeated: true, fields: [{ id: 'n', label: 'N', type: 'number' }] },
];
const HEAD = FIELDS.map(({ id }) => id);
const ROWS = [
  HEAD,
  [
    'Chair',
    '1.234',
    '12.50',
    '2026-11-20',
    '2026-11-20T08:00:00Z',
    'true',
    'a',
    '["x","y"]',
    'https://a.example',
    '',
    '',
  ],
  [
    '24" "desk"',
    '1,5',
    '99999999999999999.9',
    '03/04/2026',
    '3.4.2026 8:05 pm',
    'no',
    'A',
    'x;y',
    '',
    'file_1',
    '[{"n":1}]',
  ],
  ['Two\nlines', "'-5", '1e3', '25/12/2026', '', '0', '', '[', '\u00e9\ud83d\ude00', '', '[{"n":"x"},{}]'],
  ['=1+1', '', '', '', '', '', '', '', '', '', '{}'],
];
const quoted = (cell: string) => (/[";,\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
const BASES = [',', ';', '\t'].flatMap((delimiter) =>
  ['\n', '\r\n'].map((line) => ROWS.map((row) => row.map(quoted).join(delimiter)).join(line)),
);

const piece = fc.constantFrom(
  ...[
    '"',
    '""',
    '"\n',
    '\n"',
    ',',
    ';',
    '\t',
    '\n',
    '\r',
    '\r\n',
    '\r\r\n',
    ' ',
    '\u00a0',
    '\ufeff',
    'sep=;\n',
    'sep=,\r\n',
  ],
  ...[
    '\0',
    "'",
    '[',
    ']',
    '{',
    '[[[[[[',
    '{"__proto__":',
    '\u2028',
    '\ud83d\ude00',
    'e\u0301',
    '-',
    '1e999',
    '9'.repeat(400),
  ],
  ...[
    'x'.repeat(5_000),
    ';'.repeat(50),
    '\n'.repeat(20),
    '__proto__',
    'constructor',
    '\\',
    '_id',
    'ent_1',
    '\u0001',
    '\ufffe',
  ],
);
const mutation = fc.oneof(
  fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), insert: piece, remove: fc.nat(12) }),
  fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    insert: fc.string({ unit: 'binary', maxLength: 4 }),
    remove: fc.nat(3),
  }),
  fc.record({ at: fc.constantFrom(0, 1), insert: piece, remove: fc.nat(300) }),
);
const file = fc.record({
  base: fc.constantFrom(...BASES),
  mutations: fc.array(mutation, { minLength: 1, maxLength: 6 }),
  byte: fc.option(fc.record({ at: fc.nat(), value: fc.nat(255) }), { freq: 8 }),
});

function bytesOf({ base, mutations, byte }: typeof file extends fc.Arbitrary<infer File> ? File : never): Buffer {
  const text = mutations.reduce((before, { at, insert, remove }) => {
    const start = Math.round(at * before.length);
    return before.slice(0, start) + insert + before.slice(start + remove);
  }, base);
  const bytes = Buffer.from(text);
  if (byte && bytes.length > 0) bytes[byte.at % bytes.length] = byte.value;
  return bytes;
}

test('whatever a file contains, its import ends with an outcome for each row, or a named reason', async () => {
  const account = await service.newAccount();
  const path = await newCollection(account, FIELDS);
  const codes = new Set<string>();
  let imported = 0;

  /** Runs a stage here, without the processes and threads of jobs. */
  async function runStage(id: string, name: string, body?: unknown): Promise<string | undefined> {
    const { job } = await ok(`POST ${path}/imports/${id}/${name}`, account, body);
    const jobId = parseId('job', job.id) ?? '';
    await db.query("update jobs set status = 'running', attempt = 1 where id = $1", [jobId]);
    try {
      const counts = await runRows(
        db,
        {
          ...{ accountId: account.uuid, importId: parseId('imp', id) ?? '', jobId, attempt: 1 },
          ...{ publicUrl: 'https://headwater.example', maxRows: 1_000, keptVersions: 1 },
        },
        () => {},
      );
      assert.equal(counts?.rows, counts && counts.created + counts.updated + counts.unchanged + counts.failed);
      return undefined;
    } catch (error) {
      if (!(error instanceof StageError)) throw error;
      assert.match(error.message, /line \d+|row/, 'the reason names where it is');
      return error.code;
    } finally {
      await db.query("update jobs set status = 'completed', finished_at = now() where id = $1", [jobId]);
    }
  }

  await fc.assert(
    fc.asyncProperty(file, fc.constantFrom(null, '.', ','), fc.boolean(), async (parts, decimal, byTitle) => {
      const { payload, headers } = filePart('file', 'things.csv', bytesOf(parts));
      const sent = await service.call(`POST ${path}/imports`, { as: account, body: payload, headers });
      if (sent.status !== 200) {
        assert.equal(sent.status, 400, JSON.stringify(sent.body));
        codes.add(sent.body.code);
        return;
      }
      const { id, columns } = sent.body as { id: string; columns: { suggestedField: string | null }[] };
      const fields = columns.map(({ suggestedField: field }) => (field === null || field === '_id' ? null : { field }));
      if (fields.every((field) => field === null)) return;
      const keyField = byTitle && fields.some((each) => each?.field === 'title') ? 'title' : null;
      const mapping = { columns: fields, decimal, keyField, timeZone: decimal && 'UTC' };
      const stopped = await runStage(id, 'dry-run', mapping);
      if (stopped !== undefined) {
        codes.add(stopped);
        return;
      }
      assert.equal(await runStage(id, 'start'), undefined);
      imported++;
    }),
    { numRuns: FILES },
  );
  assert.ok(imported > FILES / 10, 'some of them are imported');
  for (const code of codes) assert.match(code, /^(csv_|encoding_|file_empty|too_many_)/);
});
