import type { Annotation } from '@headwater/sdk';
import { Group, Textarea } from '@mantine/core';
import { DateInput, TimeInput } from '@mantine/dates';
import '@mantine/dates/styles.css';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { isDay } from '../shared/days.ts';
import { FormDialog } from '../shared/form-dialog.tsx';
import { notify } from '../shared/notify.tsx';
import { useForm } from '../shared/use-form.ts';
import { instantOf, wallTimeOf } from '../shared/wall-time.ts';

interface AnnotationDialogProps {
  /** Without one, an annotation is added. */
  annotation?: Annotation;
  /** A day, or an instant. */
  at: string;
  onClose: () => void;
}

/** Adds or changes an annotation. Its time is in the display time zone. */
export function AnnotationDialog({ annotation, at, onClose }: AnnotationDialogProps) {
  const [day = '', time = ''] = isDay(at) ? [at] : wallTimeOf(at).split(' ');
  const form = useForm({
    initial: { at: day as string | null, time: time.slice(0, 5), text: annotation?.text ?? '' },
    isValid: (values) => values.at !== null && values.text.trim() !== '',
    save: (values) => {
      const note = {
        at: values.time ? instantOf(`${values.at} ${values.time}:00`) : (values.at ?? ''),
        text: values.text,
      };
      return annotation
        ? headwater.updateAnnotation({ annotationId: annotation.id }, note)
        : headwater.createAnnotation(note);
    },
    onSaved: async () => {
      await queryClient.invalidateQueries({ queryKey: ['annotations'] });
      notify(annotation ? t('Annotation saved.') : t('Annotation added.'));
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={annotation ? t('Edit annotation') : t('Add annotation')}
      submit={annotation ? t('Save') : t('Add')}
      onClose={onClose}
    >
      <Textarea
        label={t('Text')}
        description={t('All members of the account see it on the chart.')}
        placeholder={t('Newsletter sent')}
        required
        autosize
        minRows={2}
        maxLength={500}
        {...form.text('text')}
        data-autofocus
      />
      <Group grow align="flex-start">
        <DateInput label={t('Date')} required {...form.input('at')} />
        <TimeInput
          label={t('Time')}
          description={t('Optional')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.text('time')}
        />
      </Group>
    </FormDialog>
  );
}
