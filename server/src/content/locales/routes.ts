import { audit, authorOf } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import { publicId } from '../../shared/ids.ts';
import { Locales, LocalesChange } from './contract.ts';
import { getLocales } from './queries.ts';
import { setLocales } from './set-locales.ts';

const about = { tags: ['Collections'], security: [{ token: [] }] };

/** @param wakeIndexer called when the index of new translations was left to the worker */
export function localeRoutes(app: App, { db, clock }: Deps, wakeIndexer: () => void): void {
  const { get, put } = routesOf(app, about);
  get('/v1/cms/locales', {
    config: { access: 'secret', rate: 'read' },
    operationId: 'getLocales',
    summary: 'Get the locales',
    description: 'The locales in which the account writes its content.',
    returns: Locales,
    handle: async ({ caller }) => getLocales(db, caller.accountId),
  });

  put('/v1/cms/locales', {
    config: { access: 'secret', rate: 'write' },
    operationId: 'setLocales',
    summary: 'Set the locales',
    description:
      'Replaces the list. The values of localized fields in a locale that is removed are kept, and return with it. With another ' +
      'default locale, reads without a locale return its values, others fall back to it, and values keep their names: those ' +
      'without a locale are in the `baseLocale` of the collection, which stays in the list.',
    body: LocalesChange,
    returns: Locales,
    handle: async (request) => {
      const { accountId } = request.caller;
      const changed = await db.transaction(async (tx) => {
        const result = await setLocales(tx, accountId, request.body);
        const { before, after } = result;
        const change = {
          action: 'locales.changed',
          subject: ['account', publicId('acc', accountId)],
          before,
          after,
        } as const;
        await audit(tx, authorOf(request), change, clock());
        return result;
      });
      if (changed.needsBackfill) wakeIndexer();
      return changed.after;
    },
  });
}
