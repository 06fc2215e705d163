/**
 * `npm run chaos [-- name …] [--parameter=number …]` runs all proofs or the named ones and prints the table of
 * docs/reliability.md. It fails if a condition does not hold. A flag applies to every chosen proof with that parameter.
 */
import { parseArgs } from 'node:util';
import { cleanUpNow } from '../test/at-end.ts';
import type { Finding, Proof } from './proof.ts';
import { PROOFS } from './proofs.ts';

const proofs = new Map<string, Proof>(Object.entries(PROOFS));

function fail(message: string): never {
  console.error(`${message}\n\nProofs:`);
  for (const [name, { title, parameters }] of proofs) {
    const flags = Object.entries(parameters).map(([flag, value]) => `--${flag}=${value}`);
    console.error(`  ${[name, ...flags].join(' ')}\n    ${title}`);
  }
  process.exit(2);
}

function readArguments(): { chosen: [string, Proof][]; flags: Record<string, number> } {
  const { positionals, values } = parseArgs({ allowPositionals: true, strict: false });
  const unknown = positionals.find((name) => !proofs.has(name));
  if (unknown !== undefined) fail(`There is no proof "${unknown}".`);
  const chosen = [...proofs].filter(([name]) => positionals.length === 0 || positionals.includes(name));
  const flags: Record<string, number> = {};
  for (const [flag, value] of Object.entries(values)) {
    if (!chosen.some(([, { parameters }]) => flag in parameters)) fail(`No chosen proof has a parameter "${flag}".`);
    const number = Number(value);
    if (typeof value !== 'string' || value === '' || !(number >= 0)) fail(`--${flag} must be a number.`);
    flags[flag] = number;
  }
  return { chosen, flags };
}

async function run(name: string, proof: Proof, flags: Record<string, number>): Promise<Finding[]> {
  const known = Object.entries(flags).filter(([flag]) => flag in proof.parameters);
  const parameters = { ...proof.parameters, ...Object.fromEntries(known) };
  const log = (line: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${name}: ${line}`);
  log(`starts with ${JSON.stringify(parameters)}`);
  try {
    return await proof.run(parameters, log);
  } catch (error) {
    log(String((error as Error).stack));
    return [{ condition: 'The proof runs to its end', figure: (error as Error).message, result: 'fail' }];
  } finally {
    await cleanUpNow();
  }
}

const { chosen, flags } = readArguments();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cleanUpNow().finally(() => process.exit(1)));
}
const rows: string[] = [];
for (const [name, proof] of chosen) {
  for (const { condition, figure, result } of await run(name, proof, flags)) {
    const cells = [name, condition, figure, result].map((cell) => cell.replace(/\s+/g, ' ').replaceAll('|', '\\|'));
    rows.push(`| ${cells.join(' | ')} |`);
    if (result === 'fail') process.exitCode = 1;
  }
}
console.log(['| Proof | Condition | Measured | Result |', '|---|---|---|---|', ...rows].join('\n'));
process.exit();
