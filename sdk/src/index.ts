export { type AssignedExperiment, assign } from './assign.ts';
export * from './client.ts';
export type * from './content.ts';
export * from './error.ts';
export { createExperiments, type Experiments, type ExperimentVisitor } from './experiments.ts';
export type * from './generated.ts';
export { type Completed, type ExportedFile, type ExportJob, readExport } from './jobs.ts';
export { ExactNumber, hasExactNumbers, parseExact } from './numbers.ts';
export { Paged } from './paging.ts';
export type { RetryPolicy } from './retry.ts';
export type { ResponseInfo } from './send.ts';
export { type ResumableUploadOptions, uploadResumable } from './upload.ts';
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from './verify-webhook.ts';
export { type WaitOptions, waitForJob } from './wait-for-job.ts';
