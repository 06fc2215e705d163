import { test } from 'node:test';
import { soak } from './soak.ts';

test('a few visitors while the service is killed: everything acknowledged is exported, once', () => soak(5, 3));
