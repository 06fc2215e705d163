import { Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { t } from '../languages/translate.ts';
import { useSession } from '../service/session.ts';
import { Card } from '../shared/card.tsx';
import { IconButton } from '../shared/icon-button.tsx';
import { Icon } from '../shared/icons.tsx';
import { type SetupStep, STEP_LABELS, useSetupSteps } from './setup-steps.ts';

/** Without these an account has no reports; the other steps are optional. */
const REQUIRED: SetupStep[] = ['script', 'event', 'conversion'];

/** The steps of the installation, until the required ones are done. */
export function SetupChecklist() {
  const { account } = useSession();
  const done = useSetupSteps();
  // Unknown steps must not flash a checklist on an account that is set up.
  const [isDismissed, setIsDismissed] = useLocalStorage({ key: `headwater-setup-${account.id}`, defaultValue: false });
  if (isDismissed || REQUIRED.every((step) => done[step] !== false)) return null;
  const steps = Object.entries(STEP_LABELS) as [SetupStep, string][];
  return (
    <Card
      title={t('Track a site')}
      controls={
        <Group gap="xs">
          <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setIsDismissed(true)}>
            {t('Dismiss')}
          </Button>
          <IconButton icon="right" to="/settings/installation" variant="default" size="compact-sm">
            {t('Continue setup')}
          </IconButton>
        </Group>
      }
    >
      <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {steps.map(([step, label]) => (
          <Group key={step} component="li" gap="sm" wrap="nowrap">
            <Icon
              name={done[step] ? 'check' : 'clock'}
              color={done[step] ? 'var(--better)' : 'var(--mantine-color-dimmed)'}
            />
            <Text size="sm" c={done[step] ? 'dimmed' : undefined}>
              {label}
              {done[step] && <VisuallyHidden>{t(' (done)')}</VisuallyHidden>}
            </Text>
          </Group>
        ))}
      </Stack>
    </Card>
  );
}
