import { audit, authorOf } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { refuse } from '../../shared/errors.ts';
import { toApiError } from '../../shared/http/problem.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import { publicId } from '../../shared/ids.ts';
import { checkUrl } from '../../shared/outbound/check-url.ts';
import { connectPolicy } from '../../shared/outbound/connect-policy.ts';
import { Sender } from '../../shared/outbound/sender.ts';
import { changeSettings, getSettings } from './change-settings.ts';
import { checkFirstParty } from './check-first-party.ts';
import { FirstPartyCheck, FirstPartyCheckBody, Settings, SettingsBody } from './contract.ts';

/**
 * `GET` and `PATCH /v1/tracking/settings`.
 * @param onChange called after a change by this process
 */
export function settingsRoutes(app: App, deps: Deps, onChange: (accountId: string) => void): void {
  const { get, post, patch } = routesOf(app);
  const mayConnect = connectPolicy(deps.config.webhookAllowCidrs);
  const sender = new Sender({ mayConnect, timeoutMs: 5_000, keeps: 'all' });
  post('/v1/tracking/check-first-party', {
    config: { access: 'secret', role: 'editor', rate: 'write', takesLong: true },
    operationId: 'checkFirstParty',
    tags: ['Tracking'],
    summary: 'Check the first-party ID from outside',
    description:
      'Requests your own domain as a browser would, and says whether the first-party cookie passes through the proxy in front of the service, and if not, why. Nothing is recorded.',
    security: [{ token: [] }],
    body: FirstPartyCheckBody,
    returns: FirstPartyCheck,
    handle: async ({ caller, body }) => {
      refuse(checkUrl(body.scriptUrl, mayConnect, '/scriptUrl'));
      const { firstPartyId } = await getSettings(deps.db, caller.accountId);
      return checkFirstParty(sender, body, firstPartyId);
    },
  });
  get('/v1/tracking/settings', {
    config: { access: 'secret', rate: 'read' },
    operationId: 'getTrackingSettings',
    tags: ['Tracking'],
    summary: 'Get the tracking settings',
    description: 'Who may record visits and events, whose visits do not count, and how long they are stored.',
    security: [{ token: [] }],
    returns: Settings,
    handle: (request) => getSettings(deps.db, request.caller.accountId),
  });

  patch('/v1/tracking/settings', {
    config: { access: 'secret', role: 'owner', rate: 'write' },
    // The response reports the schema's faults together with those of `changeSettings`.
    attachValidation: true,
    operationId: 'changeTrackingSettings',
    tags: ['Tracking'],
    summary: 'Change the tracking settings',
    description:
      'Omitted members stay unchanged; a list is replaced as a whole. Every process applies the change within 5 seconds.',
    security: [{ token: [] }],
    body: SettingsBody,
    returns: Settings,
    handle: async (request) => {
      const { accountId } = request.caller;
      const faults = request.validationError ? toApiError(request.validationError).errors : [];
      const changed = await deps.db.transaction(async (tx) => {
        const { updatedAt: _, ...before } = await getSettings(tx, accountId);
        const { updatedAt, ...after } = await changeSettings(tx, accountId, request.body, faults, deps.clock());
        const subject = ['account', publicId('acc', accountId)] as const;
        const change = { action: 'tracking_settings.changed', subject, before, after };
        await audit(tx, authorOf(request), change, deps.clock());
        return { updatedAt, ...after };
      });
      onChange(accountId);
      return changed;
    },
  });
}
