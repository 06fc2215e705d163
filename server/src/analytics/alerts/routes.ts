import { audit, authorOf } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { badRequest, notFound, refuse } from '../../shared/errors.ts';
import { idempotently } from '../../shared/http/idempotency.ts';
import { pageById } from '../../shared/http/keyset-page.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import { newUuid, parseId, publicId } from '../../shared/ids.ts';
import { connectPolicy } from '../../shared/outbound/connect-policy.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import { LIMITS } from '../limits.ts';
import {
  Alert,
  AlertChange,
  AlertPage,
  AlertPath,
  AlertsQuery,
  DeletedAlert,
  type Incident,
  IncidentPage,
  NewAlert,
} from './contract.ts';
import {
  countRules,
  deleteIncidents,
  deleteRule,
  findIncidents,
  findRule,
  type IncidentRow,
  insertRule,
  listIncidents,
  listRules,
  lockRule,
  type RuleRow,
  updateRule,
} from './queries.ts';
import { definitionOf, PRESET } from './rule.ts';

const URL = '/v1/alerts';

/** `/v1/alerts`. */
export function alertRoutes(app: App, { db, clock, pageTokens, config }: Deps): void {
  const read = { access: 'secret', rate: 'read' } as const;
  const write = { access: 'secret', role: 'editor', rate: 'write' } as const;
  const mayConnect = connectPolicy(config.webhookAllowCidrs);

  const serialize = async (tx: Tx, account_id: string, rows: readonly RuleRow[]): Promise<Alert[]> => {
    const ids = rows.flatMap(({ incident_id }) => incident_id ?? []);
    const incidents = ids.length === 0 ? [] : await findIncidents(tx, { account_id, ids });
    const byId = new Map(incidents.map((each) => [each.id, each]));
    return rows.map((row) => serializeRule(row, byId.get(row.incident_id ?? '')));
  };
  const one = async (tx: Tx, account_id: string, row: RuleRow | undefined): Promise<Alert> => {
    const [alert] = row ? await serialize(tx, account_id, [row]) : [];
    if (!alert) throw notFound('alert');
    return alert;
  };
  const uuidOf = (alertId: string) => {
    const id = parseId('alr', alertId);
    if (id === undefined) throw notFound('alert');
    return id;
  };

  const { get, post, patch, remove } = routesOf(app, { tags: ['Alerts'], security: [{ token: [] }] });
  get(URL, {
    config: read,
    operationId: 'listAlerts',
    summary: 'List alerts',
    description: 'Newest first, with the state of each.',
    querystring: AlertsQuery,
    returns: AlertPage,
    handle: async ({ caller: { accountId: account_id }, query }) => {
      const { rows, nextPageToken } = await pageById(
        pageTokens,
        [account_id, URL],
        query,
        'newest first',
        (before, limit) => listRules(db, { account_id, before, limit }),
      );
      return { alerts: await serialize(db, account_id, rows), nextPageToken };
    },
  });

  post(URL, {
    config: write,
    operationId: 'createAlert',
    'x-idempotency-key': true,
    summary: 'Create an alert',
    description:
      'A rule on a figure, which is evaluated every few minutes. An incident raises one notice when it opens and one when it is resolved.',
    body: NewAlert,
    returns: Alert,
    handle: (request) => {
      const { accountId: account_id } = request.caller;
      const { preset } = request.body;
      const { definition, faults } = definitionOf(request.body, preset ? PRESET[preset] : {}, mayConnect);
      refuse(faults);
      return idempotently(db, request, account_id, async (tx) => {
        const [counted] = await countRules(tx, { account_id });
        if ((counted?.count ?? 0) >= LIMITS.alerts) {
          throw badRequest('too_many_alerts', `An account has at most ${LIMITS.alerts} alerts.`);
        }
        const now = clock();
        const stored = { definition: JSON.stringify(definition), is_enabled: definition.isEnabled, now: new Date(now) };
        const [row] = await insertRule(tx, { account_id, id: newUuid(now), ...stored });
        if (row) {
          const change = { action: 'alert.created', subject: subjectOf(row), after: auditable(row) };
          await audit(tx, authorOf(request), change, now);
        }
        return one(tx, account_id, row);
      });
    },
  });

  get(`${URL}/:alertId`, {
    config: read,
    operationId: 'getAlert',
    summary: 'Get an alert',
    description: 'With its figure at the last evaluation, and its incident if one is open.',
    params: AlertPath,
    returns: Alert,
    handle: async ({ caller: { accountId: account_id }, params }) => {
      const [row] = await findRule(db, { account_id, id: uuidOf(params.alertId) });
      return one(db, account_id, row);
    },
  });

  patch(`${URL}/:alertId`, {
    config: write,
    operationId: 'updateAlert',
    summary: 'Change an alert',
    description:
      'Changes only the members that are sent. The rule is evaluated afresh, and an open incident is closed without a notice.',
    params: AlertPath,
    body: AlertChange,
    returns: Alert,
    handle: (request) => {
      const { accountId: account_id } = request.caller;
      const id = uuidOf(request.params.alertId);
      return db.transaction(async (tx) => {
        const [before] = await lockRule(tx, { account_id, id });
        if (!before) throw notFound('alert');
        const { definition, faults } = definitionOf(request.body, before.definition, mayConnect);
        refuse(faults);
        const now = clock();
        const stored = { definition: JSON.stringify(definition), is_enabled: definition.isEnabled, now: new Date(now) };
        const [row] = await updateRule(tx, { account_id, id, ...stored });
        if (row) {
          const change = {
            action: 'alert.changed',
            subject: subjectOf(row),
            before: auditable(before),
            after: auditable(row),
          };
          await audit(tx, authorOf(request), change, now);
        }
        return one(tx, account_id, row);
      });
    },
  });

  remove(`${URL}/:alertId`, {
    config: write,
    operationId: 'deleteAlert',
    summary: 'Delete an alert',
    description: 'Also deletes its incidents. No notice is sent of one that is open.',
    params: AlertPath,
    returns: DeletedAlert,
    handle: (request) => {
      const { accountId: account_id } = request.caller;
      const id = uuidOf(request.params.alertId);
      return db.transaction(async (tx) => {
        const [row] = await deleteRule(tx, { account_id, id });
        if (!row) throw notFound('alert');
        await deleteIncidents(tx, { account_id, id });
        const change = { action: 'alert.deleted', subject: subjectOf(row), before: auditable(row) };
        await audit(tx, authorOf(request), change, clock());
        return { success: true };
      });
    },
  });

  get(`${URL}/:alertId/incidents`, {
    config: read,
    operationId: 'listAlertIncidents',
    summary: 'List the incidents of an alert',
    description: 'Newest first.',
    params: AlertPath,
    querystring: AlertsQuery,
    returns: IncidentPage,
    handle: async ({ caller: { accountId: account_id }, params, query }) => {
      const id = uuidOf(params.alertId);
      const [rule] = await findRule(db, { account_id, id });
      if (!rule) throw notFound('alert');
      const { rows, nextPageToken } = await pageById(
        pageTokens,
        [account_id, URL, id],
        query,
        'newest first',
        (before, limit) => listIncidents(db, { account_id, id, before, limit }),
      );
      return { incidents: rows.map(serializeIncident), nextPageToken };
    },
  });
}

const subjectOf = ({ id }: RuleRow) => ['alert', publicId('alr', id)] as const;

/** The URL of a chat lets everyone post to it, so the audit log does not have it. */
const auditable = ({ definition }: RuleRow) => ({
  ...definition,
  channels: definition.channels.map(({ type }) => type),
});

function serializeRule(row: RuleRow, incident: IncidentRow | undefined): Alert {
  const { definition, checked } = row;
  return {
    id: publicId('alr', row.id),
    ...definition,
    status: checked?.status ?? 'unknown',
    current: checked?.current ?? null,
    expected: checked?.expected ?? null,
    limit: checked?.limit ?? null,
    incident: incident ? serializeIncident(incident) : null,
    checkedAt: row.checked_at && isoTime(row.checked_at),
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  };
}

function serializeIncident(row: IncidentRow): Incident {
  return {
    id: publicId('inc', row.id),
    openedAt: isoTime(row.opened_at),
    resolvedAt: row.resolved_at && isoTime(row.resolved_at),
    value: row.value,
    expected: row.expected,
    limit: row.limit_value,
    text: row.text,
  };
}
