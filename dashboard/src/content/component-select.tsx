import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../languages/translate.ts';
import { TextLink } from '../shared/text-link.tsx';
import { componentsQuery } from './queries.ts';

interface ComponentSelectProps {
  label: string;
  value: string | undefined;
  onChange: (componentId: string | undefined, name: string | undefined) => void;
  error: string | undefined;
}

/** Whether a group or a block has fields of its own or those of a component. Nothing without components. */
export default function ComponentSelect({ label, value, onChange, error }: ComponentSelectProps) {
  const { data: components = [] } = useQuery(componentsQuery());
  if (components.length === 0) return null;
  return (
    <Select
      label={label}
      description={value && <TextLink to={`/content/components/${value}`}>{t('Edit the component')}</TextLink>}
      placeholder={t('Its own')}
      data={components.map(({ id, name }) => ({ value: id, label: name }))}
      value={value ?? null}
      onChange={(next) => onChange(next ?? undefined, components.find(({ id }) => id === next)?.name)}
      error={error}
      clearable
      mb="xs"
    />
  );
}
