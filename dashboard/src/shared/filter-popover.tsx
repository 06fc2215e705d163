import { Button, Popover, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { FormEvent, ReactNode } from 'react';
import { t } from '../languages/translate.ts';
import { FilterButton } from './filter-button.tsx';

interface FilterPopoverProps {
  disabled?: boolean;
  /** The filter can be added. */
  isComplete: boolean;
  onSubmit: () => void;
  width?: number;
  onOpen?: () => void;
  children: (close: () => void) => ReactNode;
}

/** The "Filter" button with the form that adds a filter. */
export function FilterPopover({
  disabled = false,
  isComplete,
  onSubmit,
  width = 300,
  onOpen,
  children,
}: FilterPopoverProps) {
  const [opened, { toggle, close }] = useDisclosure(false, onOpen && { onOpen });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The form around it is not sent with it.
    event.stopPropagation();
    if (!isComplete) return;
    onSubmit();
    close();
  };
  return (
    <Popover
      opened={opened}
      onChange={(next) => !next && close()}
      position="bottom-start"
      withinPortal
      trapFocus
      width={width}
    >
      <Popover.Target>
        <FilterButton onClick={toggle} disabled={disabled} />
      </Popover.Target>
      <Popover.Dropdown aria-label={t('Add a filter')}>
        <form onSubmit={submit}>
          <Stack gap="xs">
            {children(close)}
            <Button type="submit" disabled={!isComplete} mt={4}>
              {t('Add filter')}
            </Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
