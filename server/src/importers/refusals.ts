import { type HeadwaterError, isHeadwaterError } from '@headwater/sdk';

/** Whether the service refused what was sent, so that the rest can go on. */
export const isRefusal = (error: unknown): error is HeadwaterError =>
  isHeadwaterError(error) && error.status >= 400 && error.status < 500 && ![401, 403, 408, 429].includes(error.status);

export function reasonOf(error: HeadwaterError): string {
  return error.errors.map(({ pointer, detail }) => `${pointer ?? ''} ${detail}`.trim()).join(' ') || error.message;
}
