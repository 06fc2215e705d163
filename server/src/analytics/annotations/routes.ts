import { readReportingSettings } from '../../accounts/index.ts';
import { audit, authorOf } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { badRequest, notFound } from '../../shared/errors.ts';
import { idempotently } from '../../shared/http/idempotency.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import { newUuid, parseId, publicId } from '../../shared/ids.ts';
import { isoTime } from '../../shared/time.ts';
import { nameAuthors } from '../../users/index.ts';
import { LIMITS } from '../limits.ts';
import { parsePeriod } from '../reports/periods.ts';
import { findAnnotations, parseAt, serializeNote } from './annotation.ts';
import {
  Annotation,
  AnnotationChange,
  AnnotationPath,
  Annotations,
  AnnotationsQuery,
  Deleted,
  NewAnnotation,
} from './contract.ts';
import { type AnnotationRow, deleteAnnotation, insertAnnotation, lockAnnotation, updateAnnotation } from './queries.ts';

/** `/v1/analytics/annotations`: notes of all members on the chart of the overview. */
export function annotationRoutes(app: App, { db, control, clock }: Pick<Deps, 'db' | 'control' | 'clock'>): void {
  const common = { tags: ['Analytics'], security: [{ token: [] }] };
  const write = { access: 'secret', role: 'editor', rate: 'write' } as const;
  const subjectOf = ({ id }: { id: string }) => ['annotation', publicId('ann', id)] as const;
  const stateOf = (row: AnnotationRow) => ({ at: row.day ?? isoTime(row.at ?? 0), text: row.text });
  const zoneOf = async (accountId: string) => (await readReportingSettings(control, accountId)).timeZone;

  async function serialize(accountId: string, rows: AnnotationRow[], timeZone: string): Promise<Annotation[]> {
    const authors = await nameAuthors(control, accountId, rows);
    return rows.map((row, i) => ({
      id: publicId('ann', row.id),
      ...serializeNote(row, timeZone),
      createdBy: authors[i] ?? null,
      createdAt: isoTime(row.created_at),
      updatedAt: isoTime(row.updated_at),
    }));
  }
  async function serializeOne(accountId: string, row: AnnotationRow): Promise<Annotation> {
    const [annotation] = await serialize(accountId, [row], await zoneOf(accountId));
    if (!annotation) throw new Error('one row has one response');
    return annotation;
  }

  const { get, post, patch, remove } = routesOf(app, common);
  get('/v1/analytics/annotations', {
    config: { access: 'secret', rate: 'read' },
    operationId: 'listAnnotations',
    summary: 'List annotations',
    description: `Returns the annotations of a period, or all of them without \`from\` and \`to\`: at most ${LIMITS.annotations}, ordered by time.`,
    querystring: AnnotationsQuery,
    returns: Annotations,
    handle: async ({ caller: { accountId }, query: { from, to, timeZone } }) => {
      if ((from === undefined) !== (to === undefined)) {
        throw badRequest('range_incomplete', 'Send both `from` and `to`, or neither.');
      }
      const zone = timeZone ?? (await zoneOf(accountId));
      // Also checks the time zone.
      const period = parsePeriod({ from: from ?? '2000-01-01', to: to ?? '2000-01-02', timeZone: zone }, '?');
      const rows = await findAnnotations(db, accountId, from === undefined ? undefined : period, zone);
      return { annotations: await serialize(accountId, rows, zone) };
    },
  });

  post('/v1/analytics/annotations', {
    config: write,
    'x-idempotency-key': true,
    operationId: 'createAnnotation',
    summary: 'Annotate a day or a time',
    description: 'Every member of the account sees it on the chart of the overview.',
    body: NewAnnotation,
    returns: Annotation,
    handle: async (request) => {
      const { accountId } = request.caller;
      const author = authorOf(request);
      const now = clock();
      const note = { ...parseAt(request.body.at), text: request.body.text.trim() };
      return idempotently(db, request, accountId, async (tx) => {
        const [created] = await insertAnnotation(tx, {
          ...{ account_id: accountId, id: newUuid(now), ...note, now: new Date(now), max: LIMITS.annotations },
          ...{ author_type: author.type, author_id: author.id },
        });
        if (!created) {
          const detail = `An account has at most ${LIMITS.annotations} annotations. Delete one first.`;
          throw badRequest('too_many_annotations', detail);
        }
        const change = { action: 'annotation.created', subject: subjectOf(created), after: stateOf(created) };
        await audit(tx, author, change, now);
        return serializeOne(accountId, created);
      });
    },
  });

  patch('/v1/analytics/annotations/:annotationId', {
    config: write,
    operationId: 'updateAnnotation',
    summary: 'Change an annotation',
    description: 'Changes only the members that are sent.',
    params: AnnotationPath,
    body: AnnotationChange,
    returns: Annotation,
    handle: async (request) => {
      const { at, text } = request.body;
      const { accountId } = request.caller;
      const id = parseId('ann', request.params.annotationId);
      const time = at === undefined ? undefined : parseAt(at);
      const row = await db.transaction(async (tx) => {
        const key = { account_id: accountId, id: id ?? '' };
        const [before] = id === undefined ? [] : await lockAnnotation(tx, key);
        if (!before) throw notFound('annotation');
        const now = clock();
        const note = { day: before.day, at: before.at, ...time, text: text?.trim() ?? before.text };
        const [after] = await updateAnnotation(tx, { ...key, ...note, now: new Date(now) });
        if (!after) throw notFound('annotation');
        const states = { before: stateOf(before), after: stateOf(after) };
        const change = { action: 'annotation.changed', subject: subjectOf(after), ...states };
        await audit(tx, authorOf(request), change, now);
        return after;
      });
      return serializeOne(accountId, row);
    },
  });

  remove('/v1/analytics/annotations/:annotationId', {
    config: write,
    operationId: 'deleteAnnotation',
    summary: 'Delete an annotation',
    description: 'Charts no longer show it. The audit log keeps its text.',
    params: AnnotationPath,
    returns: Deleted,
    handle: (request) =>
      db.transaction(async (tx) => {
        const id = parseId('ann', request.params.annotationId);
        const [row] = id === undefined ? [] : await deleteAnnotation(tx, { account_id: request.caller.accountId, id });
        if (!row) throw notFound('annotation');
        const change = { action: 'annotation.deleted', subject: subjectOf(row), before: stateOf(row) };
        await audit(tx, authorOf(request), change, clock());
        return { success: true };
      }),
  });
}
