/** Warns of versions of ad platforms' APIs that end within 90 days, and fails 30 days before an end. */
import { endingVersions, FAIL_DAYS, staleVersions } from '../src/destinations/platforms/versions.ts';

const FILE = 'server/src/destinations/platforms/versions.ts';

const now = Date.now();
for (const { platform, version, ends, daysLeft, source } of endingVersions(now)) {
  const isLate = daysLeft <= FAIL_DAYS;
  console.error(
    `${isLate ? 'error' : 'warning'}: ${platform} ${version} ends on ${ends} (${daysLeft} days), see ${source}`,
  );
  if (isLate) process.exitCode = 1;
}
for (const platform of staleVersions(now)) {
  console.error(`warning: ${FILE} says that no end is known of the version of ${platform}; read its source again`);
}
if (process.exitCode === 1) console.error(`Set a newer version in ${FILE}.`);
