import { DAY, HOUR } from '../shared/units.ts';
import type { Call } from './call.ts';

/**
 * Publishes most guides, and leaves the others in every state that editors know: a changed one, drafts in review, scheduled changes,
 * and releases.
 */
export async function publishGuides(call: Call, collectionId: string, ids: string[], now: number): Promise<void> {
  const entries = `/v1/cms/collections/${collectionId}/entries`;
  const [changed, leaving, reviewed, scheduled, later, ...others] = ids;
  if (!changed || !leaving || !reviewed || !scheduled || !later) throw new Error('there are too few guides');
  // In the hour of a working day.
  const inDays = (days: number) => new Date(Math.floor(now / DAY + days) * DAY + 9 * HOUR).toISOString();
  const item = (entryId: string, more: object = {}) => ({ collectionId, entryId, ...more });
  const release = (body: object) => call('POST', '/v1/cms/releases', body) as Promise<{ id: string }>;

  const launch = await release({
    name: 'Launch of the guides',
    items: [changed, leaving, ...others].map((id) => item(id)),
  });
  await call('POST', `/v1/cms/releases/${launch.id}/publish`, {});
  await call('PATCH', `${entries}/${changed}`, { values: { featured: false, minutes: 12 } });
  await release({ at: inDays(2), items: [item(scheduled)] });
  await release({ at: inDays(16), items: [item(leaving, { action: 'unpublish' })] });
  const weeks = [item(changed, { version: null }), item(reviewed, { version: null }), item(later)];
  await release({ name: 'Skin care weeks', at: inDays(6), items: weeks });
  await release({ name: 'Ideas for spring', items: [item(later)] });
  await call('PUT', `${entries}/${reviewed}/review`, { state: 'in_review' });
  await call('POST', `${entries}/${reviewed}/comments`, { text: 'Which study is this from? Please add the source.' });
  await call('PUT', `${entries}/${scheduled}/review`, { state: 'approved' });
}
