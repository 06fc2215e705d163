import { createHmac, timingSafeEqual } from 'node:crypto';
import { ApiError } from './errors.ts';

/**
 * Where a listing goes on: an opaque text that holds a keyset position and an HMAC over it and over the listing it
 * belongs to. One that was changed, or that comes from another account, path, sort or filter, is refused.
 */
export interface PageTokens {
  /** @param scope whatever the listing depends on: account, path, sort, filter */
  write(scope: readonly unknown[], position: unknown): string;
  /** The position that `write` was given. @throws ApiError 400 `page_token_invalid` */
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
        const detail = 'The page token is not one that this listing, with this sort and filter, has answered.';
        throw new ApiError(400, 'page_token_invalid', detail, {
          errors: [{ pointer: '?pageToken', code: 'page_token_invalid', detail }],
        });
      }
      return JSON.parse(text);
    },
  };
}
