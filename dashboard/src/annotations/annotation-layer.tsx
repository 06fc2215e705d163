import type { Annotation } from '@headwater/sdk';
import { Group, Popover, Stack, UnstyledButton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import type { Geometry } from '../reports/line-chart.tsx';
import { useReports } from '../reports/report-source.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { ConfirmDialog, Dialog } from '../shared/dialogs.tsx';
import { formatNumber } from '../shared/formats.ts';
import { IconButton } from '../shared/icon-button.tsx';
import { Icon } from '../shared/icons.tsx';
import { notify } from '../shared/notify.tsx';
import { displayTimeZone } from '../shared/time-zone.ts';
import { wallTimeOf } from '../shared/wall-time.ts';
import { AnnotationDialog } from './annotation-dialog.tsx';
import { AnnotationNote, type Note, type NoteActions, timeOf } from './annotation-note.tsx';
import classes from './annotations.module.css';

/** Markers closer than this become one. */
const MIN_DISTANCE = 26;

interface AnnotationLayerProps {
  geometry: Geometry;
  /** When each interval of the chart starts. */
  starts: string[];
  isHourly: boolean;
  /** The period of the chart. */
  from: string;
  to: string;
  mayEdit: boolean;
}

/** The annotations of the period as markers on the time axis of a chart, and the buttons that list and add them. */
export function AnnotationLayer({ geometry, starts, isHourly, from, to, mayEdit }: AnnotationLayerProps) {
  const { listAnnotations } = useReports();
  const query = useQuery({
    queryKey: ['annotations', from, to],
    queryFn: ({ signal }) => listAnnotations({ from, to, timeZone: displayTimeZone() }, { signal }),
    placeholderData: keepPreviousData,
  });
  const [open, setOpen] = useState<Opened>();
  const notes = query.data?.annotations ?? [];
  const markers = markersOf(notes, starts, geometry.x);
  const { hovered } = geometry;
  // On the axis, above its labels.
  const bottom = geometry.bottom - 10;
  const hoveredX = hovered === undefined ? undefined : geometry.x(hovered);
  const isFree = hoveredX !== undefined && markers.every(({ x }) => Math.abs(x - hoveredX) >= MIN_DISTANCE);
  const close = () => setOpen(undefined);
  const actions = mayEdit
    ? {
        onEdit: (annotation: Annotation) => setOpen({ annotation, at: annotation.at }),
        onDelete: (deleted: Annotation) => setOpen({ deleted }),
      }
    : undefined;
  /** The day or hour of an interval, in the display time zone. */
  const atOf = (start: string) => (isHourly ? start : wallTimeOf(start).slice(0, 10));
  return (
    <>
      {markers.map((marker) => (
        <Marker key={marker.x} {...marker} bottom={bottom} actions={actions} />
      ))}
      {mayEdit && isFree && hovered !== undefined && (
        // Beside this one, a button that the keyboard reaches adds annotations.
        <UnstyledButton
          className={`${classes.marker} ${classes.add}`}
          style={{ left: hoveredX, top: bottom }}
          tabIndex={-1}
          aria-label={t('Add annotation here')}
          title={t('Add annotation')}
          onClick={() => setOpen({ at: atOf(starts[hovered] ?? from) })}
        >
          <Icon name="plus" size={14} />
        </UnstyledButton>
      )}
      {(mayEdit || notes.length > 0) && (
        <Group gap="xs" justify="flex-end" pos="absolute" style={{ insetInlineEnd: 0, top: geometry.height }} h={28}>
          {notes.length > 0 && (
            <IconButton icon="book" variant="subtle" size="compact-xs" onClick={() => setOpen('all')}>
              {t('Annotations ({count})', { count: formatNumber(notes.length) })}
            </IconButton>
          )}
          {mayEdit && (
            <IconButton
              icon="plus"
              variant="subtle"
              size="compact-xs"
              onClick={() => setOpen({ at: wallTimeOf(new Date().toISOString()).slice(0, 10) })}
            >
              {t('Add annotation')}
            </IconButton>
          )}
        </Group>
      )}
      {open === 'all' && (
        <Dialog onClose={close} title={t('Annotations')}>
          <Notes notes={notes} actions={actions} />
        </Dialog>
      )}
      {typeof open === 'object' && 'at' in open && <AnnotationDialog {...open} onClose={close} />}
      {typeof open === 'object' && 'deleted' in open && (
        <ConfirmDialog
          title={t('Delete this annotation?')}
          action={t('Delete')}
          run={async () => {
            await headwater.deleteAnnotation({ annotationId: open.deleted.id });
            await queryClient.invalidateQueries({ queryKey: ['annotations'] });
            notify(t('Annotation deleted.'));
          }}
          onClose={close}
        >
          {t('“{text}” disappears from the chart of every member. You cannot restore it.', { text: open.deleted.text })}
        </ConfirmDialog>
      )}
    </>
  );
}

/** What is open: all annotations, a new or an existing one in the form, or the question whether to delete one. */
type Opened = 'all' | { at: string; annotation?: Annotation } | { deleted: Annotation };

interface NotesProps {
  notes: Note[];
  actions: NoteActions | undefined;
}

const Notes = ({ notes, actions }: NotesProps) => (
  <Stack gap="sm">
    {notes.map((note, i) => (
      <AnnotationNote key={'id' in note ? note.id : i} note={note} actions={actions} />
    ))}
  </Stack>
);

interface MarkerProps extends NotesProps {
  x: number;
  bottom: number;
}

function Marker({ x, notes, bottom, actions }: MarkerProps) {
  const [isOpen, setIsOpen] = useState(false);
  const closing = (run: (annotation: Annotation) => void) => (annotation: Annotation) => {
    setIsOpen(false);
    run(annotation);
  };
  const [first] = notes;
  const label =
    first && notes.length === 1
      ? `${timeOf(first)}: ${first.text}`
      : t('{count, plural, one {# annotation} other {# annotations}}', { count: notes.length });
  return (
    <>
      <span className={classes.stem} style={{ left: x, top: 8, height: bottom - 8 }} />
      <Popover
        opened={isOpen}
        onChange={setIsOpen}
        position="top"
        width={300}
        withinPortal
        trapFocus
        returnFocus
        withArrow
      >
        <Popover.Target>
          <UnstyledButton
            className={classes.marker}
            style={{ left: x, top: bottom }}
            aria-label={label}
            title={label}
            onClick={() => setIsOpen(!isOpen)}
          >
            {notes.length > 1 ? formatNumber(notes.length) : <Icon name="flag" size={13} />}
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown>
          <Notes
            notes={notes}
            actions={actions && { onEdit: closing(actions.onEdit), onDelete: closing(actions.onDelete) }}
          />
        </Popover.Dropdown>
      </Popover>
    </>
  );
}

/** Annotations by the interval in which they start; markers that would overlap are joined. Notes are ordered by time. */
function markersOf(notes: Note[], starts: string[], x: Geometry['x']): { x: number; notes: Note[] }[] {
  const markers: { x: number; notes: Note[] }[] = [];
  for (const note of notes) {
    // A day that started before the period belongs to the first interval.
    const at = x(
      Math.max(
        0,
        starts.findLastIndex((start) => start <= note.startsAt),
      ),
    );
    const last = markers.at(-1);
    if (last && at - last.x < MIN_DISTANCE) last.notes.push(note);
    else markers.push({ x: at, notes: [note] });
  }
  return markers;
}
