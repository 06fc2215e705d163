import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './until.ts';

/** The folder of the files of this run; undefined outside of one, as in `npm run chaos`. */
const RUN = process.env.TEST_RUN;

/**
 * A folder that all processes of a run share. The first that needs it makes it, the others wait for that.
 * @returns undefined outside of a run
 */
export async function oncePerRun(
  name: string,
  make: (folder: string) => void | Promise<void>,
): Promise<string | undefined> {
  if (RUN === undefined) return undefined;
  const folder = join(RUN, name);
  const made = `${folder}.made`;
  if (existsSync(made)) return folder;
  if (mkdirSync(`${folder}.lock`, { recursive: true }) === undefined) {
    await until(() => existsSync(made) || !existsSync(`${folder}.lock`));
    return oncePerRun(name, make);
  }
  try {
    await make(folder);
    writeFileSync(made, '');
  } finally {
    if (!existsSync(made)) rmSync(`${folder}.lock`, { recursive: true });
  }
  return folder;
}
