import { Type } from 'typebox';
import { Release } from '../../content/index.ts';
import { exampleTime, sequence } from './common.ts';
import type { LoadDrafts, TopicDefinitions } from './topic.ts';

const ReleaseData = Type.Object({ ...Type.Omit(Release, ['by']).properties, sequence }, { title: 'WebhookRelease' });

// A release that failed can be scheduled again, so the outbox contains it as it was.
const load: LoadDrafts = async (_deps, _tx, changes) =>
  changes.map((change) => ({ change, data: change.data as object }));

const family = { data: ReleaseData, load };

const example = {
  id: 'rel_01kaf9m8t0x3d7h1k5p9s2v6yb',
  name: 'Winter sale',
  at: exampleTime,
  itemCount: 12,
  item: {
    collectionId: 'col_01kaf9m8t0a6t3e1n8r5c2x9vf',
    entryId: 'ent_01kaf9m8t0m5p2y9d4g7z1j8qw',
    action: 'publish',
    version: 3,
    title: 'Winter sale',
  },
  version: 2,
  createdAt: '2026-11-19T10:00:00.000Z',
  updatedAt: exampleTime,
  finishedAt: exampleTime,
  sequence: 2,
};

export const releaseTopics = {
  'release.completed': {
    ...family,
    summary: 'A release or a scheduled change was published',
    example: { ...example, status: 'completed', errors: null },
  },
  'release.failed': {
    ...family,
    summary: 'A release or a scheduled change could not be published at its scheduled time; none of its entries was',
    example: {
      ...example,
      status: 'failed',
      errors: [{ pointer: '/items/0/values/title', code: 'required', detail: '"Title" is required.' }],
    },
  },
} satisfies TopicDefinitions;
