import { audit, authorOf } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { withErrors } from '../../shared/http/problem.ts';
import type { App } from '../../shared/http/server.ts';
import { publicId } from '../../shared/ids.ts';
import { Locales, LocalesChange } from './contract.ts';
import { getLocales } from './queries.ts';
import { setLocales } from './set-locales.ts';

const about = { tags: ['Collections'], security: [{ token: [] }] };

/** @param wakeIndexer called when the index of new translations was left to the worker */
export function localeRoutes(app: App, { db, clock }: Deps, wakeIndexer: () => void): void {
  app.get(
    '/v1/cms/locales',
    {
      config: { access: 'secret', rate: 'read' },
      schema: {
        ...about,
        operationId: 'getLocales',
        summary: 'Get the locales',
        description: 'The locales in which the account writes its content.',
        response: withErrors(Locales),
      },
    },
    async ({ caller }) => getLocales(db, caller.accountId),
  );

  app.put(
    '/v1/cms/locales',
    {
      config: { access: 'secret', rate: 'write' },
      schema: {
        ...about,
        operationId: 'setLocales',
        summary: 'Set the locales',
        description:
          'Replaces the list. The values of localized fields in a locale that is removed are kept, and return with it. The ' +
          'default locale cannot change while a collection has localized fields.',
        body: LocalesChange,
        response: withErrors(Locales),
      },
    },
    async (request) => {
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
  );
}
