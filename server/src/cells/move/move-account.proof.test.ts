// Slow: many moves between three cells under load, stopped at every step.
import { test } from 'node:test';
import { loseConnections, moveUnderLoad } from './test-moves.ts';

test('nothing is lost, doubled or refused while an account is moved on and back, also by a process that does not know', () =>
  moveUnderLoad(['east', 'west', 'main', 'east']));

test('a move whose connections are lost anywhere is continued or canceled, and nothing is lost or doubled', () =>
  loseConnections(['Copying', 'Following changes', 'Switching', 'Switching+', 'Deleting the old rows']));
