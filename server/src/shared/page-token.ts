import { createHmac, timingSafeEqual } from 'node:crypto';
import { ApiError } from './errors.ts';

/**
 * Tokens for the next page of a list: a keyset position with an HMAC over it and over the list it belongs to. A token that
 * was changed, or that comes from another account, path, sort or filter, is refused.
 */
export interface PageTokens {
  /** @param scope everything the list depends on: account, path, sort, filter */
  write(scope: readonly unknown[], position: unknown): string;
  /** Returns the position that was passed to `write`. @throws ApiError 400 `page_token_invalid` */
  read(scope: readonly unknown[], token: string): unknown;
}

const MAC_BYTES = 16;

export function pageTokens(secret: Buffer): PageTokens {
  const mac = (scope: readonly unknown[], position: string) =>
    createHmac('sha256', secret)
      .update(`page-token\n${JSON.stringify(scope)}\n${position}`)
      .digest()
      .subarray(0, MAC_BYTES);

  return {
    write(scope, position) {
      const text = JSON.stringify(position);
      return Buffer.concat([mac(scope, text), Buffer.from(text)]).toString('base64url');
    },
    read(scope, token) {
      const bytes = Buffer.from(token, 'base64url');
      const text = bytes.subarray(MAC_BYTES).toString('utf8');
      const given = bytes.subarray(0, MAC_BYTES);
      if (
        bytes.length <= MAC_BYTES ||
        bytes.toString('base64url') !== token ||
        !timingSafeEqual(given, mac(scope, text))
      ) {
        const detail =
          'The page token is invalid or belongs to a different list, sort or filter. Start again from the first page.';
        throw new ApiError(400, 'page_token_invalid', detail, {
          errors: [{ pointer: '?pageToken', code: 'page_token_invalid', detail }],
        });
      }
      return JSON.parse(text);
    },
  };
}
