import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Fault } from '../../shared/errors.ts';
import type { SentSchema } from '../contract.ts';
import { FileFault, type Position } from './file-fault.ts';
import { positionsIn } from './locate.ts';

export interface SchemaFile {
  schema: SentSchema;
  /** A fault of the schema as compilers print them: `headwater.schema.ts:12:5 …`. */
  describe(fault: Fault): string;
}

/** Runs a schema file, in TypeScript, JavaScript or JSON, and reads what it exports. @throws FileFault */
export async function readSchemaFile(path: string): Promise<SchemaFile> {
  const source = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const reason =
      error.code === 'ENOENT' ? 'There is no such file. Write it with `headwater schema pull`.' : error.message;
    throw new FileFault(`${path}: ${reason}`);
  });
  const isJson = path.endsWith('.json');
  let positionOf: (pointer: string) => Position | undefined;
  try {
    positionOf = positionsIn(source, isJson);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    throw new FileFault(`${path}${suffix(error.position)}: ${error.message}`, error.position);
  }
  const exported = isJson ? JSON.parse(source) : await run(path);
  if (typeof exported !== 'object' || exported === null || Array.isArray(exported)) {
    throw new FileFault(`${path}: The file must export a schema as its default.`);
  }
  return {
    // As it is sent, without functions and undefined members.
    schema: JSON.parse(JSON.stringify(exported)),
    describe: ({ pointer, code, detail }) => `${path}${suffix(positionOf(pointer))}: ${detail} (${code})`,
  };
}

const suffix = (at: Position | undefined) => (at ? `:${at.line}:${at.column}` : '');

async function run(path: string): Promise<unknown> {
  try {
    return (await import(pathToFileURL(resolve(path)).href)).default;
  } catch (error) {
    throw new FileFault(`${path}: ${(error as Error).message}`);
  }
}
