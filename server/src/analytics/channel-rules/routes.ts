import { audit, authorOf } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { invalid, refuse } from '../../shared/errors.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import { publicId } from '../../shared/ids.ts';
import type { ContextOf } from '../reports/context.ts';
import { ChannelRules, ChannelRulesBody } from './contract.ts';
import { previewRules } from './preview-rules.ts';
import { readChannelRules, writeRules } from './queries.ts';
import { faultsOf } from './rule.ts';

const URL = '/v1/analytics/channel-rules';

/** `GET` and `PUT /v1/analytics/channel-rules`. */
export function channelRuleRoutes(app: App, { db, clock }: Deps, contextOf: ContextOf): void {
  const { get, put } = routesOf(app, { tags: ['Analytics'], security: [{ token: [] }] });
  get(URL, {
    config: { access: 'secret', rate: 'read' },
    operationId: 'getChannelRules',
    summary: 'Get the custom channel rules',
    description:
      'In their order. A session belongs to the channel of the first rule that holds, otherwise to its default channel group.',
    returns: ChannelRules,
    handle: ({ caller }) => readChannelRules(db, caller.accountId),
  });

  put(URL, {
    config: { access: 'secret', role: 'editor', rate: 'write' },
    operationId: 'putChannelRules',
    summary: 'Replace the custom channel rules',
    description:
      'Applies to all reports at once, also to sessions of the past. With `dryRun`, changes nothing and says how many sessions of the last 30 days each rule would take.',
    body: ChannelRulesBody,
    returns: ChannelRules,
    handle: async (request, reply) => {
      const { accountId } = request.caller;
      const { rules, version: expected, dryRun = false } = request.body;
      refuse(rules.flatMap((rule, i) => faultsOf(rule, `/rules/${i}`)));
      if (dryRun) {
        const context = await contextOf(accountId, reply);
        const { version } = await readChannelRules(db, accountId);
        return { rules, version, effects: await previewRules(context, rules) };
      }
      return db.transaction(async (tx) => {
        const before = await readChannelRules(tx, accountId);
        const { version } = before;
        const [written] =
          expected !== undefined && expected !== version
            ? []
            : await writeRules(tx, { account_id: accountId, rules: JSON.stringify(rules), version, now: clock() });
        if (!written) {
          const detail = `The rules were changed by someone else; their version is ${version}. Read them again.`;
          throw invalid([{ pointer: '/version', code: 'version_conflict', detail }]);
        }
        const names = (list: typeof rules) => ({ channels: list.map(({ name }) => name) });
        const change = { before: names(before.rules), after: names(written.rules) };
        const subject = ['account', publicId('acc', accountId)] as const;
        await audit(tx, authorOf(request), { action: 'channel_rules.changed', subject, ...change }, clock());
        return written;
      });
    },
  });
}
