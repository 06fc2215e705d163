// Slow: many moves between three cells under load, stopped at every step.
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { moveAccount } from './move-account.ts';
import {
  accountIn,
  assertExact,
  databaseOf,
  deps,
  loseConnections,
  moveUnderLoad,
  sendLoad,
  subscribeToAll,
} from './test-moves.ts';

test('nothing is lost, doubled or refused while an account is moved on and back, also by a process that does not know', () =>
  moveUnderLoad(['east', 'west', 'main', 'east']));

test('a move whose connections are lost anywhere is continued or canceled, and nothing is lost or doubled', () =>
  loseConnections(['Copying', 'Following changes', 'Switching', 'Switching+', 'Deleting the old rows']));

test('requests go on while the last changes cannot be copied, and the move ends later', async () => {
  const account = await accountIn('main');
  await subscribeToAll('main', account.uuid);
  const load = sendLoad(account);
  await load.more();
  const other = await (await databaseOf('east')).connect('in the way');
  let releasing: Promise<unknown> | undefined;
  const onProgress = (step: string) => {
    // Nothing of this table is copied before the gate is closed.
    if (step !== 'Switching' || releasing) return;
    releasing = other
      .query('begin; lock table outbox in share mode')
      .then(() => sleep(2_000))
      .then(() => load.more())
      .finally(() => other.end());
  };
  await moveAccount(deps, account.id, 'east', onProgress);
  await load.more();
  await load.stop();
  await releasing;
  await assertExact('east', account.uuid, load.acknowledged);
});
