/** Statements of analysts over views of an account. Its tables: sql_statements. */
import type { Deps, Module } from '../shared/deps.ts';
import { sqlRoutes } from './routes.ts';
import { StatementRunner } from './run-statement.ts';

export { SQL_LIMITS } from './limits.ts';

export function sqlModule(deps: Deps): Module {
  const runner = new StatementRunner(deps);
  return { routes: (app) => sqlRoutes(app, deps, runner), workers: [] };
}
