/**
 * A cache that is not purged checks after a second. It must not answer with what it has while the service fails, or in place of a 404, which is
 * as cacheable, so that it replaces what was unpublished. nginx counts whole seconds, so that it would keep a second for up to two: its own header
 * says until when.
 */
export const CACHING = {
  'cache-control': 'public, max-age=1, stale-if-error=0',
  get 'x-accel-expires'() {
    return `@${Math.floor(Date.now() / 1_000)}`;
  },
  vary: 'x-api-key, authorization, accept-encoding',
};
