import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithRef } from 'react';
import { t } from '../languages/translate.ts';
import { Icon } from './icons.tsx';

/** The button that opens the form of a filter. */
export const FilterButton = (props: ButtonProps & ComponentPropsWithRef<'button'>) => (
  <Button variant="default" leftSection={<Icon name="filter" size={16} />} {...props}>
    {t('Filter')}
  </Button>
);
