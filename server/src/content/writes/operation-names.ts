export const OPERATION_NAMES = ['create', 'update', 'upsert', 'delete', 'restore', 'publish', 'unpublish'] as const;
export type OperationName = (typeof OPERATION_NAMES)[number];
