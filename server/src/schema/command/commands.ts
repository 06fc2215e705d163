import { writeFile } from 'node:fs/promises';
import type { Deps } from '../../shared/deps.ts';
import type { Fault } from '../../shared/errors.ts';
import { checkBody } from '../../shared/http/check-body.ts';
import { type PushResult, type Schema, SentSchema } from '../contract.ts';
import { pushSchema, readSchema, undoPush } from '../push-schema.ts';
import { schemaFile } from './write-file.ts';

/** What the commands work on: a service, or the data on this machine. */
export interface SchemaSource {
  get(): Promise<object>;
  /** @param schema as the file has it, which is checked */
  put(schema: object, options: { dryRun: boolean }): Promise<PushResult>;
  undo(undoId: string, options: { dryRun: boolean; allowDataLoss: boolean }): Promise<PushResult>;
}

export interface SchemaOptions {
  file: string;
  allowDataLoss: boolean;
  /** Whether the exit code tells that there are differences. */
  exitCode: boolean;
  json: boolean;
}

/** The faults of a schema file, as lines. */
export class SchemaFaults extends Error {}

const ACTIONS = ['pull', 'diff', 'push', 'undo'] as const;
export type SchemaAction = (typeof ACTIONS)[number];
export const isSchemaAction = (word: string | undefined): word is SchemaAction => ACTIONS.some((each) => each === word);

/**
 * `headwater schema pull|diff|push|undo`. Returns what to print and the code to exit with.
 * @throws SchemaFaults
 */
export async function runSchemaCommand(
  action: SchemaAction,
  undoId: string,
  source: SchemaSource,
  { file, allowDataLoss, exitCode, json }: SchemaOptions,
): Promise<{ output: string; exitCode: number }> {
  if (action === 'pull') {
    const schema = (await source.get()) as Schema;
    await writeFile(file, file.endsWith('.json') ? `${JSON.stringify(schema, null, 2)}\n` : schemaFile(schema));
    const { collections, components, roles = [], webhooks = [] } = schema;
    const counted = { collections, components, roles, webhooks };
    const summary = { file, ...Object.fromEntries(Object.entries(counted).map(([name, list]) => [name, list.length])) };
    const counts = Object.entries(counted)
      .map(([name, list]) => `${list.length} ${name}`)
      .join(', ');
    return { output: json ? JSON.stringify(summary) : `${file}: ${counts}`, exitCode: 0 };
  }
  const result =
    action === 'undo'
      ? await source.undo(undoId, { dryRun: false, allowDataLoss })
      : await pushFile(file, source, { dryRun: action === 'diff', allowDataLoss });
  const isOther = action === 'diff' && exitCode && result.changes.length > 0;
  return { output: json ? JSON.stringify(result) : describe(result, action), exitCode: isOther ? 1 : 0 };
}

async function pushFile(
  path: string,
  source: SchemaSource,
  { dryRun, allowDataLoss }: { dryRun: boolean; allowDataLoss: boolean },
): Promise<PushResult> {
  // Reads TypeScript, which the service never does.
  const { readSchemaFile } = await import('./read-file.ts');
  const file = await readSchemaFile(path);
  try {
    return await source.put({ ...file.schema, ...(allowDataLoss && { allowDataLoss }) }, { dryRun });
  } catch (error) {
    const { errors, code } = error as { errors?: Fault[]; code?: string };
    if (!errors || errors.length === 0) throw error;
    const how = '\nNothing was changed. Add --allow-data-loss to do it anyway.';
    if (code === 'data_loss')
      throw new SchemaFaults(errors.map(({ detail }) => detail.replace(/ Send .*/, '')).join('\n') + how);
    throw new SchemaFaults(errors.map(file.describe).join('\n'));
  }
}

const SIGNS = { create: '+', update: '~', delete: '-' };

function describe({ changes, applied, undoId }: PushResult, action: SchemaAction): string {
  if (changes.length === 0) return 'No differences.';
  const lines = changes.flatMap(({ action, description, members }) => [
    `${SIGNS[action]} ${description}`,
    ...members.map(({ member, before, after }) => `    ${member}: ${shown(before)} → ${shown(after)}`),
  ]);
  const end = applied
    ? `Applied. Undo it with: headwater schema undo ${undoId}`
    : action === 'diff'
      ? 'Nothing was changed.'
      : '';
  return [...lines, '', end].join('\n');
}

const shown = (value: unknown) => {
  const text = value === undefined ? '-' : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
};

/** The data on this machine, whether the service is running or not. @param accountId UUID */
export function localSchema(
  deps: Pick<Deps, 'db' | 'control' | 'clock' | 'vault' | 'config'>,
  accountId: string,
): SchemaSource {
  const author = { accountId, type: 'command', id: null, address: null } as const;
  return {
    get: () => readSchema(deps, accountId),
    async put(schema, options) {
      checkBody(SentSchema, schema);
      return pushSchema(deps, author, schema, options);
    },
    undo: (undoId, options) => undoPush(deps, author, undoId, options),
  };
}
