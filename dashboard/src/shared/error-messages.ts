import { isHeadwaterError } from '@headwater/sdk';
import { serviceText } from '../languages/service-texts.ts';
import { t } from '../languages/translate.ts';

export interface Message {
  title: string;
  detail: string;
}

/** What went wrong, and what to do about it. */
export function errorMessage(error: unknown): Message {
  if (!isHeadwaterError(error)) {
    return {
      title: t('Something went wrong'),
      detail: t('Reload the page. If it happens again, contact the administrator of this service.'),
    };
  }
  switch (error.code) {
    case 'unreachable':
    case 'timeout':
      return { title: t('Service unreachable'), detail: t('Check your connection, then try again.') };
    case 'rate_limited':
      return { title: t('Too many requests'), detail: t('Wait a moment, then try again.') };
    case 'not_found':
      return {
        title: t('Not found'),
        detail: t('It may have been deleted, your role may not show it, or the link is outdated.'),
      };
    case 'confirmation_required':
      return { title: t('Not confirmed'), detail: t('Try again, and confirm that it is you.') };
    case 'role_insufficient':
      return { title: t('Your role does not allow this'), detail: t('Ask an owner of this account for access.') };
    case 'view_only':
      return {
        title: t('You are viewing as a role'),
        detail: t('Nothing can be changed until you end the view.'),
      };
    case 'internal_error':
      return {
        title: t('Internal error'),
        detail: error.requestId
          ? t('Try again. If it happens again, report request {id}.', { id: error.requestId })
          : t('Try again. If it happens again, report the time.'),
      };
    default: {
      const details = error.errors.map(({ detail }) => sentence(serviceText(detail)));
      return {
        title: t('Couldn’t save'),
        detail: details.length > 0 ? details.slice(0, 4).join(' ') : serviceText(error.message),
      };
    }
  }
}

/** The pointer with which many details start: at a field, the field says that. */
const POINTER = /^`[/?][^`]*` /;

/** The errors of a rejected request by their JSON Pointers. */
export function fieldErrors(error: unknown): Map<string, string> {
  const errors = isHeadwaterError(error) ? error.errors : [];
  const value = `${t('This value')} `;
  return new Map(errors.map(({ pointer, detail }) => [pointer, sentence(serviceText(detail).replace(POINTER, value))]));
}

const sentence = (detail: string) => `${detail.charAt(0).toUpperCase()}${detail.slice(1)}`;
