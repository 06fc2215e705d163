import type { DestinationPlatform } from '@headwater/sdk';
import { Alert } from '@mantine/core';
import { DAY } from '../../../server/src/shared/units.ts';
import { t } from '../languages/translate.ts';
import { formatDate } from '../shared/formats.ts';

const WARN_MS = 90 * DAY;

/** Warns that the version of a platform's API, which is part of Headwater, ends soon. */
export function VersionEnds({ platform: { name, version, versionEnds } }: { platform: DestinationPlatform }) {
  if (versionEnds === null || Date.parse(versionEnds) - Date.now() > WARN_MS) return null;
  return (
    <Alert
      role="alert"
      variant="light"
      color="orange"
      title={t('Update Headwater before {versionEnds}', { versionEnds: formatDate(versionEnds) })}
    >
      {t('It sends conversions by version {version} of the API of {name}, which ends then.', { version, name })}
    </Alert>
  );
}
