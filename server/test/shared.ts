/**
 * A service for all files of a process that need no settings of their own: `server/test/plan-run.ts` groups those that import it. They create
 * their own accounts, assert nothing about others, and leave the clock, the workers and the rows of the instance as they are.
 */
import { testService } from './harness.ts';

export const service = await testService();
