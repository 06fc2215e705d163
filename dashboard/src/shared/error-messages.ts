import { isHeadwaterError } from '@headwater/sdk';

export interface Message {
  title: string;
  detail: string;
}

/** What went wrong, and what to do about it. */
export function errorMessage(error: unknown): Message {
  if (!isHeadwaterError(error)) {
    return {
      title: 'Something went wrong',
      detail: 'Reload the page. If it happens again, contact the administrator of this service.',
    };
  }
  switch (error.code) {
    case 'unreachable':
    case 'timeout':
      return { title: 'Service unreachable', detail: 'Check your connection, then try again.' };
    case 'rate_limited':
      return { title: 'Too many requests', detail: 'Wait a moment, then try again.' };
    case 'not_found':
      return { title: 'Not found', detail: 'It may have been deleted, or the link is outdated.' };
    case 'role_insufficient':
      return { title: 'Your role does not allow this', detail: 'Ask an owner of this account for access.' };
    case 'internal_error':
      return {
        title: 'Internal error',
        detail: `Try again. If it happens again, report ${error.requestId ? `request ${error.requestId}` : 'the time'}.`,
      };
    default: {
      const details = error.errors.map(({ detail }) => sentence(detail));
      return { title: 'Couldn’t save', detail: details.length > 0 ? details.slice(0, 4).join(' ') : error.message };
    }
  }
}

/** The pointer with which many details start: at a field, the field says that. */
const POINTER = /^`[/?][^`]*` /;

/** The errors of a rejected request by their JSON Pointers. */
export function fieldErrors(error: unknown): Map<string, string> {
  const errors = isHeadwaterError(error) ? error.errors : [];
  return new Map(errors.map(({ pointer, detail }) => [pointer, sentence(detail.replace(POINTER, 'This value '))]));
}

const sentence = (detail: string) => `${detail.charAt(0).toUpperCase()}${detail.slice(1)}`;
