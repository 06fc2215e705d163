/** The schema of an account as a file. Its tables: schema_pushes. */
import type { Deps, Module } from '../shared/deps.ts';
import { schemaRoutes } from './routes.ts';

export {
  isSchemaAction,
  localSchema,
  runSchemaCommand,
  type SchemaAction,
  SchemaFaults,
  type SchemaOptions,
  type SchemaSource,
} from './command/commands.ts';
export { FileFault } from './command/file-fault.ts';

/** @param onBackfill called when the index of new fields was left to the worker */
export function schemaModule(deps: Deps, onBackfill: () => void): Module {
  return { routes: (app) => schemaRoutes(app, deps, onBackfill), workers: [] };
}
