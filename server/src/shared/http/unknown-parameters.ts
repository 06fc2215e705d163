import { Type } from 'typebox';
import type { App } from './app.ts';
import { STRICT } from './schemas.ts';

const NO_PARAMETERS = Type.Object({}, STRICT);

/**
 * Refuses query parameters on the routes of the API that declare none, so that a misspelt one has no silent effect. The routes
 * of ingest and conversion reports do not validate their query, because nothing may be lost for a parameter. `OPTIONS` asks about
 * a request that another method makes, with the URL of that request.
 */
export function refuseUnknownParameters(app: App): void {
  app.addHook('onRoute', (route) => {
    if (route.method === 'OPTIONS' || !/^\/(?:v1|auth)\//.test(route.url) || route.schema?.querystring !== undefined)
      return;
    route.schema = { ...route.schema, querystring: NO_PARAMETERS };
  });
}
