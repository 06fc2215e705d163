import { enqueueJob, Job } from '../../jobs/index.ts';
import { audit, authorOf } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { notFound } from '../../shared/errors.ts';
import { idempotently } from '../../shared/http/idempotency.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import { ERASE_LEAD, type EraseParams } from '../erasure/erase-lead.ts';
import { EraseBody, LeadChange, LeadPage, LeadPath, LeadsQuery, LeadWithProperties } from './contract.ts';
import { readProperties } from './lead-properties.ts';
import { listLeadPage, readLead } from './list-leads.ts';
import { findLeadByEmail, updateNotes } from './queries.ts';

/** `GET /v1/leads`, `GET` and `PATCH /v1/leads/{leadId}`, and `POST /v1/leads/erase`. */
export function leadRoutes(app: App, deps: Deps): void {
  const read = { access: 'secret', rate: 'read' } as const;
  const operation = { tags: ['Tracking'], security: [{ token: [] }] };
  const leadWithProperties = async (accountId: string, leadId: string) => ({
    ...(await readLead(deps.db, deps.sessionIds, accountId, leadId)),
    properties: await readProperties(deps.db, accountId, parseId('led', leadId) ?? ''),
  });

  const { get, post, patch } = routesOf(app);
  get('/v1/leads', {
    config: read,
    ...operation,
    operationId: 'listLeads',
    summary: 'List leads',
    description: 'Newest first. With `q` of three characters or more, `sort` has no effect.',
    querystring: LeadsQuery,
    returns: LeadPage,
    handle: ({ caller, query }) => listLeadPage(deps, caller.accountId, query),
  });

  get('/v1/leads/:leadId', {
    config: read,
    ...operation,
    operationId: 'getLead',
    summary: 'Get a lead',
    description: 'With the notes about it, and the latest value of each property of its events.',
    params: LeadPath,
    returns: LeadWithProperties,
    handle: ({ caller: { accountId }, params: { leadId } }) => leadWithProperties(accountId, leadId),
  });

  patch('/v1/leads/:leadId', {
    config: { access: 'secret', rate: 'write' },
    ...operation,
    operationId: 'updateLead',
    summary: 'Write notes about a lead',
    description: 'Erasing the lead deletes them.',
    params: LeadPath,
    body: LeadChange,
    returns: LeadWithProperties,
    handle: async (request) => {
      const { accountId } = request.caller;
      const { leadId } = request.params;
      const { notes } = request.body;
      const id = parseId('led', leadId);
      if (notes !== undefined) {
        await deps.db.transaction(async (tx) => {
          const text = notes === null || notes.trim() === '' ? null : notes;
          const [row] = id === undefined ? [] : await updateNotes(tx, { account_id: accountId, id, notes: text });
          if (!row) throw notFound('lead');
          // The audit log contains no personal data.
          const change = { action: 'lead.notes_changed', subject: ['lead', leadId] as const };
          await audit(tx, authorOf(request), change, deps.clock());
        });
      }
      return leadWithProperties(accountId, leadId);
    },
  });

  post('/v1/leads/erase', {
    config: { access: 'secret', rate: 'write' },
    ...operation,
    operationId: 'eraseLead',
    'x-idempotency-key': true,
    summary: 'Erase a lead',
    description:
      'Starts a job that removes all personal data of this email: the lead; the visitor id, click ids and URL queries of its sessions; the titles of its visits; the properties of its events except `value`, `currency` and `funnel_id`; the identifiers and `extra` of its conversions; and the files of all exports made before. Counts and sums remain. Repeating the request does no harm. A person who comes back becomes a new lead.',
    body: EraseBody,
    returns: Job,
    handle: (request) => {
      const { accountId } = request.caller;
      return idempotently(deps.db, request, accountId, async (tx) => {
        const email = request.body.email.trim().toLowerCase();
        const [lead] = await findLeadByEmail(tx, { account_id: accountId, email });
        const params: EraseParams = { leadId: lead ? publicId('led', lead.id) : null };
        const job = await enqueueJob(deps, tx, accountId, ERASE_LEAD, params, authorOf(request));
        const change = { action: 'lead.erased', subject: ['job', job.id] as const, after: { leadId: params.leadId } };
        await audit(tx, authorOf(request), change, deps.clock());
        return job;
      });
    },
  });
}
