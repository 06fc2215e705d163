import type { Experiment } from '@headwater/sdk';
import { Button, Group, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { Card } from '../shared/card.tsx';
import { Form, FormActions, FormError } from '../shared/form.tsx';
import { IconButton } from '../shared/icon-button.tsx';
import { NumberField } from '../shared/number-field.tsx';
import { Page } from '../shared/page.tsx';
import { Loaded } from '../shared/states.tsx';
import { useForm } from '../shared/use-form.ts';
import { Audience } from './audience.tsx';
import { ContentValues } from './content-values.tsx';
import { type FormValues, formValuesOf, requestOf } from './form-values.ts';
import { Guardrails, METRIC_KINDS } from './guardrails.tsx';
import { experimentQuery, refreshExperiments } from './queries.ts';

export const NewExperimentPage = () => <ExperimentForm experiment={undefined} />;

export function EditExperimentPage() {
  const { experimentId = '' } = useParams({ strict: false });
  const query = useQuery(experimentQuery(experimentId));
  return <Loaded query={query}>{(experiment) => <ExperimentForm experiment={experiment} />}</Loaded>;
}

function ExperimentForm({ experiment }: { experiment: Experiment | undefined }) {
  const navigate = useNavigate();
  const open = (id: string) => navigate({ to: '/experiments/$experimentId', params: { experimentId: id } });
  const form = useForm({
    initial: formValuesOf(experiment),
    draft: `experiment ${experiment?.id ?? ''}`,
    isValid: ({ key, name, event }) => [key, name, event].every((text) => text.trim() !== ''),
    save: (values: FormValues) => {
      const body = requestOf(values, experiment);
      return experiment
        ? headwater.updateExperiment({ experimentId: experiment.id }, body)
        : headwater.createExperiment(body);
    },
    onSaved: ({ id }) => {
      void refreshExperiments();
      void open(id);
    },
  });
  const { variants, content } = form.values;
  const setVariant = (i: number, part: Partial<FormValues['variants'][number]>) =>
    form.set({ variants: variants.map((each, k) => (k === i ? { ...each, ...part } : each)) });
  const remove = (i: number) => form.set({ variants: variants.filter((_, k) => k !== i) });
  const add = () => form.set({ variants: [...variants, { key: '', share: undefined, values: {} }] });
  return (
    <Page
      size="editor"
      title={experiment ? t('Edit experiment') : t('Create experiment')}
      back={{ to: '/experiments', label: t('Experiments') }}
    >
      <Form form={form} noValidate>
        <Stack gap="lg">
          <Card title={t('What is tested')}>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <TextInput label={t('Name')} required {...form.text('name')} />
              <TextInput
                label={t('Key')}
                description={t('Names it in pages and assigns visitors')}
                required
                {...form.text('key')}
              />
            </SimpleGrid>
            <Textarea label={t('Hypothesis')} autosize {...form.text('hypothesis')} />
          </Card>
          <Card
            title={t('Variants')}
            controls={
              <Button variant="default" onClick={add}>
                {t('Add variant')}
              </Button>
            }
          >
            {variants.map(({ key, share }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: variants have no identity of their own
              <Group key={i} align="flex-end" wrap="nowrap">
                <TextInput
                  flex={1}
                  label={i === 0 ? t('Control') : t('Variant {number}', { number: i + 1 })}
                  value={key}
                  error={form.errors.get(`/variants/${i}/key`)}
                  onChange={(event) => setVariant(i, { key: event.currentTarget.value })}
                />
                <NumberField
                  w={120}
                  label={t('Share in percent')}
                  value={share}
                  error={form.errors.get(`/variants/${i}/weight`)}
                  onChange={(next) => setVariant(i, { share: next })}
                />
                {variants.length > 2 && i > 0 && (
                  <IconButton icon="trash" variant="default" onClick={() => remove(i)}>
                    {t('Remove {name}', { name: key })}
                  </IconButton>
                )}
              </Group>
            ))}
            <FormError form={{ message: form.errors.get('/variants') }} />
            <ContentValues
              content={content}
              variants={variants}
              errors={form.errors}
              onContent={(next) => form.set({ content: next })}
              onValues={(i, values) => setVariant(i, { values })}
            />
          </Card>
          <Card title={t('What decides')}>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <Select
                label={t('Metric')}
                data={METRIC_KINDS}
                allowDeselect={false}
                {...form.input('kind')}
                error={form.errors.get('/metric/kind')}
              />
              <TextInput label={t('Event')} required {...form.text('event')} error={form.errors.get('/metric/event')} />
              <TextInput
                label={t('Window')}
                description={t('How long sales of a visitor count, such as 14d')}
                {...form.text('window')}
              />
              <TextInput
                label={t('Settling time')}
                description={t('How long refunds are waited for, such as 30d')}
                {...form.text('settleAfter')}
              />
              <NumberField
                label={t('Planned visitors')}
                {...form.input('plannedVisitors')}
                value={form.values.plannedVisitors}
              />
            </SimpleGrid>
            <Guardrails
              guardrails={form.values.guardrails}
              errors={form.errors}
              onChange={(guardrails) => form.set({ guardrails })}
            />
          </Card>
          <Card title={t('Who takes part')}>
            <SimpleGrid cols={{ base: 1, sm: 3 }}>
              <NumberField label={t('Coverage in percent')} {...form.input('coverage')} value={form.values.coverage} />
              <NumberField
                label={t('Holdout in percent')}
                description={t('Sees the control for ever')}
                {...form.input('holdout')}
                value={form.values.holdout}
              />
              <TextInput
                label={t('Namespace')}
                description={t('Experiments of one namespace share no visitor')}
                {...form.text('namespace')}
              />
            </SimpleGrid>
            <Audience audience={form.values.audience} onChange={(audience) => form.set({ audience })} />
          </Card>
          <FormError form={form} />
          <FormActions
            form={form}
            submit={experiment ? t('Save') : t('Create')}
            onCancel={() => (experiment ? open(experiment.id) : navigate({ to: '/experiments' }))}
          />
        </Stack>
      </Form>
    </Page>
  );
}
