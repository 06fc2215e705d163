import { hashKey } from '@tanstack/react-query';

/** Whether values are the same, in whatever order their members are; null is as none. The service keeps no order. */
export const isSameValue = (a: unknown, b: unknown): boolean => hashKey([a]) === hashKey([b]);
