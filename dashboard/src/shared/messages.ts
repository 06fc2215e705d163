import { isHeadwaterError } from '@headwater/sdk';

export interface Message {
  title: string;
  detail: string;
}

/** What a person is told of an error: what happened, and what to do about it. */
export function messageOf(error: unknown): Message {
  if (!isHeadwaterError(error)) {
    return {
      title: 'Something went wrong',
      detail: 'Reload the page. If it happens again, tell whoever runs this service.',
    };
  }
  switch (error.code) {
    case 'unreachable':
    case 'timeout':
      return { title: 'The service cannot be reached', detail: 'Check your connection, then try again.' };
    case 'rate_limited':
      return { title: 'That was a lot at once', detail: 'Wait a moment, then try again.' };
    case 'not_found':
      return { title: 'This is no longer there', detail: 'It may have been deleted, or you followed an old link.' };
    case 'role_insufficient':
      return { title: 'Your role does not allow this', detail: 'Ask an owner of this account.' };
    case 'internal_error':
      return {
        title: 'The service met an error',
        detail: `Try again. If it stays, quote ${error.requestId ?? 'the time'}.`,
      };
    default: {
      const faults = error.errors.map(({ pointer, detail }) => `${readable(pointer)} ${detail}`.trim());
      return {
        title: 'This was not accepted',
        detail: faults.length > 0 ? faults.slice(0, 4).join('; ') : error.message,
      };
    }
  }
}

/** The last name of a JSON Pointer. */
const readable = (pointer: string) => pointer.replace(/^\?/, '').split('/').at(-1) ?? '';

/** The faults of a refused form by their pointers. */
export function faultsOf(error: unknown): Map<string, string> {
  const errors = isHeadwaterError(error) ? error.errors : [];
  return new Map(errors.map(({ pointer, detail }) => [pointer, sentence(detail)]));
}

const sentence = (detail: string) => `${detail.charAt(0).toUpperCase()}${detail.slice(1)}`;
