export * from './client.ts';
export type * from './content.ts';
export * from './error.ts';
export type * from './generated.ts';
export { Paged } from './paging.ts';
export type { RetryPolicy } from './retry.ts';
export { type WaitOptions, waitForJob } from './wait-for-job.ts';
