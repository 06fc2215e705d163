import { ActionIcon, Code, CopyButton, Group, Tooltip } from '@mantine/core';
import { t } from '../languages/translate.ts';
import { Icon } from './icons.tsx';

/** A text to copy: a key, a snippet, a URL. */
export function CopyField({ value, label, block = false }: { value: string; label: string; block?: boolean }) {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Code
        block={block}
        flex={1}
        p="sm"
        fz="sm"
        tabIndex={0}
        aria-label={label}
        role="group"
        style={{ overflowX: 'auto', wordBreak: block ? undefined : 'break-all' }}
      >
        {value}
      </Code>
      <CopyButton value={value} timeout={1_500}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? t('Copied') : t('Copy')}>
            <ActionIcon
              onClick={copy}
              size="lg"
              variant="default"
              aria-label={copied ? t('Copied: {label}', { label }) : t('Copy: {label}', { label })}
            >
              <Icon name={copied ? 'check' : 'copy'} />
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  );
}
