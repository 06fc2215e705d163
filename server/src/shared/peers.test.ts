import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Peers } from './peers.ts';

test('processes know each other while they are live, and reach those of their version', async () => {
  const handlers: ((payload: string, processId: number) => void)[] = [];
  const bus = {
    notify: (_channel: string, payload: string) => {
      for (const handler of handlers) handler(payload, 0);
    },
    subscribe: (_channel: string, handler: (typeof handlers)[number]) => void handlers.push(handler),
    onInterruption: () => {},
  };
  const join = (url: string | undefined, version: string) => {
    const peers = new Peers(bus, () => url, version);
    peers.start();
    after(() => peers.stop());
    return peers;
  };
  const [one, two] = [join('http://one', '1'), join('http://two', '1')];
  const [newer, hidden] = [join('http://newer', '2'), join(undefined, '1')];
  assert.deepEqual(one.reachable(), [{ id: two.id, url: 'http://two' }]);
  assert.deepEqual(newer.reachable(), []);
  assert.deepEqual([one.count, newer.count, hidden.count], [4, 4, 4], 'limits are shared by all');
  await two.stop();
  assert.deepEqual([one.count, one.reachable()], [3, []]);
});
