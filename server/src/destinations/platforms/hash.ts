import { hash } from 'node:crypto';

export const sha256 = (text: string): string => hash('sha256', text, 'hex');

const parts = (email: string): [local: string, domain: string] => {
  const at = email.lastIndexOf('@');
  return [email.slice(0, at), email.slice(at + 1)];
};

/** Google ignores dots and what follows a plus sign in addresses of its own domains. */
export const withoutGmailTags = (email: string): string =>
  /@(gmail|googlemail)\.com$/.test(email) ? withoutDotsAndTags(email) : email;

/** Microsoft and Reddit ignore dots and what follows a plus sign, in every domain. */
export function withoutDotsAndTags(email: string): string {
  const [local, domain] = parts(email);
  return `${local.replace(/\+.*$/s, '').replaceAll('.', '')}@${domain}`;
}

/** A page without its query, which may have identified somebody. */
export const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '');
