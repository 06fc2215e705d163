import { Button, Group, TextInput } from '@mantine/core';
import { NodeSelection } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { t } from '../languages/translate.ts';
import classes from './editor.module.css';

/** The texts of the selected image. */
export function FigureBar({ view }: { view: EditorView }) {
  const { selection } = view.state;
  if (!(selection instanceof NodeSelection) || selection.node.type.name !== 'figure') return null;
  const { node, from } = selection;
  const set = (attrs: object) => {
    const tr = view.state.tr.setNodeMarkup(from, undefined, { ...node.attrs, ...attrs });
    view.dispatch(tr.setSelection(NodeSelection.create(tr.doc, from)));
  };
  return (
    <Group className={classes.figureBar} gap="xs" align="flex-end" role="group" aria-label={t('Selected image')}>
      <TextInput
        flex={1}
        miw={160}
        size="xs"
        label={t('Alt text')}
        description={t('What the image shows, for people who cannot see it')}
        value={node.attrs.alt}
        onChange={(event) => set({ alt: event.currentTarget.value })}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <TextInput
        flex={1}
        miw={160}
        size="xs"
        label={t('Caption')}
        description={t('Shown below the image')}
        value={node.attrs.caption}
        onChange={(event) => set({ caption: event.currentTarget.value })}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <Button
        size="xs"
        variant="default"
        onClick={() => {
          view.dispatch(view.state.tr.deleteSelection());
          view.focus();
        }}
      >
        {t('Remove image')}
      </Button>
    </Group>
  );
}
