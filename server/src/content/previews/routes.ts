import { Type } from 'typebox';
import type { Deps } from '../../shared/deps.ts';
import { routesOf } from '../../shared/http/routes.ts';
import { STRICT, Time } from '../../shared/http/schemas.ts';
import type { App } from '../../shared/http/server.ts';
import type { CollectionCache } from '../collections/collection-cache.ts';
import { EntryPath } from '../entries/contract.ts';
import { LocaleParameter } from '../locales/contract.ts';
import { Preview } from './contract.ts';
import { createPreview } from './create-preview.ts';
import { PREVIEW_MINUTES } from './preview-token.ts';

export function previewRoutes(app: App, deps: Deps, cache: CollectionCache): void {
  const { post } = routesOf(app);
  post('/v1/cms/collections/:collectionId/entries/:entryId/preview', {
    config: { access: 'secret', rate: 'read' },
    tags: ['Entries'],
    security: [{ token: [] }],
    operationId: 'createPreview',
    summary: 'Preview an entry',
    description:
      "Returns the collection's `previewUrl` with a token that reads the drafts of this public collection and of the " +
      `entries they reference, without private fields, for ${PREVIEW_MINUTES} minutes.`,
    params: EntryPath,
    querystring: Type.Object(
      {
        locale: LocaleParameter,
        release: Type.Optional(
          Type.String({
            maxLength: 100,
            description:
              'ID of a release: the token reads all public content as it will be once this release is published',
          }),
        ),
        at: Type.Optional(
          Time({
            description: 'The token reads all public content as it will be then, with what is scheduled until then',
          }),
        ),
      },
      STRICT,
    ),
    returns: Preview,
    handle: async ({ caller, params, query }) =>
      createPreview(deps, cache.of(caller), caller.accountId, params, query.locale, query),
  });
}
