import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLATFORM_IDS, platformOf } from './registry.ts';
import { API_VERSIONS, type ApiVersion, endingVersions, FAIL_DAYS, staleVersions, WARN_DAYS } from './versions.ts';

const DAY_MS = 86_400_000;

test('every version that requests are made with is in the file of versions, with its source', () => {
  const versions: Record<string, ApiVersion> = API_VERSIONS;
  for (const id of PLATFORM_IDS) {
    const { version } = platformOf(id);
    assert.equal(versions[id]?.version ?? '', version, id);
    if (version !== '') assert.ok((versions[id]?.source.length ?? 0) > 20, id);
  }
});

test('a version is listed from 90 days before its end, and when none is known and its source was read long ago', () => {
  const { linkedin, x } = API_VERSIONS;
  const end = Date.parse(linkedin.ends);
  const listed = (now: number) =>
    endingVersions(now, { linkedin, x }).map(({ platform, daysLeft }) => [platform, daysLeft]);
  assert.deepEqual(listed(end - (WARN_DAYS + 1) * DAY_MS), []);
  assert.deepEqual(listed(end - WARN_DAYS * DAY_MS), [['linkedin', 90]]);
  assert.deepEqual(listed(end - FAIL_DAYS * DAY_MS), [['linkedin', 30]]);
  assert.deepEqual(listed(end + DAY_MS), [['linkedin', -1]]);
  assert.deepEqual(staleVersions(Date.parse(x.checked), { x }), []);
  assert.deepEqual(staleVersions(Date.parse(x.checked) + 300 * DAY_MS, { linkedin, x }), ['x']);
});
