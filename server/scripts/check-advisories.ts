/**
 * Fails on a known vulnerability of a production dependency that has a fix: `npm run advisories`. The versions are those of the
 * lock file, the vulnerabilities those that the registry knows. Without the registry, it says that it could not check.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

interface Advisory {
  title: string;
  url: string;
  range: string;
}

interface Vulnerability {
  name: string;
  severity: string;
  /** Advisories about the package itself, and names of the dependencies through which others concern it. */
  via: (Advisory | string)[];
  fixAvailable: boolean | { name: string; version: string };
}

const { stdout, stderr } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
  cwd: join(import.meta.dirname, '../..'),
  encoding: 'utf8',
  env: { ...process.env, npm_config_fetch_retries: '1' },
});
const report = parse(stdout);
if (report === undefined) {
  console.warn(`Could not check for known vulnerabilities: ${reasonIn(stderr)}`);
} else {
  const found = report.flatMap(({ name, severity, via, fixAvailable }) =>
    via
      .filter((each) => typeof each !== 'string')
      .map(({ title, url, range }) => ({
        isFixable: fixAvailable !== false,
        text: `${name} ${range} (${severity}): ${title}, ${url}`,
      })),
  );
  for (const { text, isFixable } of found)
    console.error(isFixable ? `${text}. Update it.` : `${text}. There is no fix yet.`);
  if (found.some(({ isFixable }) => isFixable)) process.exit(1);
  console.log(`${found.length} known vulnerabilities of production dependencies`);
}

/** The vulnerabilities that npm reports, or undefined if the registry did not answer. */
function parse(text: string): Vulnerability[] | undefined {
  try {
    const { vulnerabilities }: { vulnerabilities?: Record<string, Vulnerability> } = JSON.parse(text);
    return vulnerabilities && Object.values(vulnerabilities);
  } catch {
    return undefined;
  }
}

function reasonIn(text: string): string {
  const lines = text.split('\n').filter((line) => /^npm (warn|error) audit/.test(line));
  return lines[0]?.replace(/^npm (warn|error) audit /, '') ?? 'npm audit gave no report.';
}
