import type { Annotation, SharedAnnotation } from '@headwater/sdk';
import { ActionIcon, Group, Text } from '@mantine/core';
import { t } from '../languages/translate.ts';
import { isDay } from '../shared/days.ts';
import { formatDateTime, formatDay } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import classes from './annotations.module.css';

/** An annotation of the account, or what a shared link shows of it. */
export type Note = Annotation | SharedAnnotation;

export const timeOf = ({ at }: Note) => (isDay(at) ? formatDay(at) : formatDateTime(at));

export interface NoteActions {
  onEdit: (annotation: Annotation) => void;
  onDelete: (annotation: Annotation) => void;
}

interface AnnotationNoteProps {
  note: Note;
  /** Without it, the annotation cannot be changed. */
  actions: NoteActions | undefined;
}

/** The text, time and author of an annotation, with the buttons to edit and delete it. */
export function AnnotationNote({ note, actions }: AnnotationNoteProps) {
  const own = 'id' in note ? note : undefined;
  return (
    <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
      <div style={{ minWidth: 0 }}>
        <Text size="sm" dir="auto" className={classes.note}>
          {note.text}
        </Text>
        <Text size="xs" c="dimmed">
          {[timeOf(note), own?.createdBy?.name].filter(Boolean).join(' · ')}
        </Text>
      </div>
      {actions && own && (
        <Group gap={2} wrap="nowrap">
          <ActionIcon aria-label={t('Edit {text}', { text: note.text })} onClick={() => actions.onEdit(own)}>
            <Icon name="edit" size={15} />
          </ActionIcon>
          <ActionIcon aria-label={t('Delete {text}', { text: note.text })} onClick={() => actions.onDelete(own)}>
            <Icon name="trash" size={15} />
          </ActionIcon>
        </Group>
      )}
    </Group>
  );
}
