import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mergeChanges } from '../src/content/merge-changes.ts';

const row = (id: string, text: string) => ({ _id: id, _block: 'text', text });

test('changes of different fields are both kept, and those of the same field are not merged', () => {
  const before = { title: 'One', teaser: 'A' };
  assert.deepEqual(mergeChanges(before, { title: 'Two' }, { title: 'One', teaser: 'B' }), { title: 'Two' });
  assert.equal(mergeChanges(before, { title: 'Two' }, { title: 'Three', teaser: 'A' }), undefined);
  assert.deepEqual(mergeChanges(before, { title: 'Two' }, { title: 'Two' }), { title: 'Two' });
  const image = (value: object) => ({ image: value });
  const theirs = image({ id: 'f', alt: 'A' });
  assert.deepEqual(mergeChanges(image({}), image({ alt: 'A', id: 'f' }), theirs), image({ alt: 'A', id: 'f' }));
  assert.deepEqual(mergeChanges(before, { teaser: null }, { title: 'Two', teaser: 'A' }), { teaser: null });
});

test('changes of different rows are both kept, in the order of the side that changed it', () => {
  const [a, b, c] = [row('a', 'A'), row('b', 'B'), row('c', 'C')];
  const before = { body: [a, b, c] };
  const changed = row('a', 'changed');
  assert.deepEqual(mergeChanges(before, { body: [changed, b, c] }, { body: [a, row('b', 'theirs'), c] }), {
    body: [changed, row('b', 'theirs'), c],
  });
  assert.deepEqual(mergeChanges(before, { body: [c, a, b] }, { body: [a, row('x', 'new'), b, c] }), {
    body: [c, a, row('x', 'new'), b],
  });
  assert.deepEqual(mergeChanges(before, { body: [a, b] }, { body: [a, b, c, row('x', 'new')] }), {
    body: [a, b, row('x', 'new')],
  });
  assert.equal(mergeChanges(before, { body: [a, b] }, { body: [a, b, row('c', 'theirs')] }), undefined);
  assert.equal(mergeChanges({ tags: ['a'] }, { tags: ['b'] }, { tags: ['c'] }), undefined);
});

test('no row is lost or doubled whatever two people do with rows of their own', () => {
  const ids = fc.subarray(['a', 'b', 'c', 'd', 'e'], { minLength: 1 });
  fc.assert(
    fc.property(ids, ids, fc.boolean(), (mine, theirs, reverses) => {
      const all = ['a', 'b', 'c', 'd', 'e'];
      const before = all.map((id) => row(id, id));
      const own = [...before.filter(({ _id }) => mine.includes(_id)), row('mine', 'mine')];
      const other = [row('theirs', 'theirs'), ...before.filter(({ _id }) => theirs.includes(_id))];
      const merged = mergeChanges({ body: before }, { body: reverses ? own.reverse() : own }, { body: other });
      assert(merged);
      const left = (merged.body as { _id: string }[]).map(({ _id }) => _id);
      const expected = [...all.filter((id) => mine.includes(id) && theirs.includes(id)), 'mine', 'theirs'];
      assert.deepEqual(left.toSorted(), expected.toSorted());
    }),
  );
});
