import type { SentSchema } from '@headwater/sdk';
import { listAccountKeys, listAccounts } from './accounts/index.ts';
import { inCellOf } from './cells/index.ts';
import { required, UsageError } from './cli-usage.ts';
import type { SchemaSource } from './schema/index.ts';
import type { Deps } from './shared/deps.ts';
import { parseId, publicId } from './shared/ids.ts';

interface SchemaFlags {
  file: string;
  'allow-data-loss': boolean;
  'exit-code': boolean;
  json: boolean;
}

/** On the data of this machine; with HEADWATER_TOKEN, `remoteSchema` calls a service instead. */
export async function schemaOfAccount(
  action: string,
  undoId: string | undefined,
  account: string,
  deps: Deps,
  flags: SchemaFlags,
): Promise<void> {
  const { localSchema } = await import('./schema/index.ts');
  const accounts = account === '' ? await listAccounts(deps.control) : [];
  const [only] = accounts;
  if (account === '' && accounts.length !== 1) throw new UsageError('--account is required, or HEADWATER_TOKEN');
  const chosen = only ? publicId('acc', only.id) : account;
  // Fails if the account does not exist.
  await listAccountKeys(deps.control, chosen);
  await inCellOf(deps, chosen, (inCell) =>
    printSchema(action, undoId, localSchema(inCell, parseId('acc', chosen) ?? ''), flags),
  );
}

export async function remoteSchema([action, undoId]: string[], options: SchemaFlags & { url?: string | undefined }) {
  const token = required(process.env.HEADWATER_TOKEN, 'HEADWATER_TOKEN');
  const { createClient } = await import('@headwater/sdk');
  const client = createClient({ baseUrl: options.url ?? 'http://localhost:3000', token });
  await printSchema(
    action ?? '',
    undoId,
    {
      get: () => client.getSchema(),
      put: (schema, { dryRun }) => client.putSchema({ dryRun }, schema as SentSchema),
      undo: (id, { allowDataLoss }) => client.undoSchema({ undoId: id }, { allowDataLoss }),
    },
    options,
  );
}

async function printSchema(action: string, undoId: string | undefined, source: SchemaSource, flags: SchemaFlags) {
  const { isSchemaAction, runSchemaCommand } = await import('./schema/index.ts');
  if (!isSchemaAction(action)) throw new UsageError(`unknown command "schema ${action}"`);
  const id = action === 'undo' ? required(undoId, 'the id of the push') : '';
  const { file, json } = flags;
  const options = { file, json, allowDataLoss: flags['allow-data-loss'], exitCode: flags['exit-code'] };
  const { output, exitCode } = await runSchemaCommand(action, id, source, options);
  console.log(output);
  process.exitCode = exitCode;
}
