import { ActionIcon, Tooltip } from '@mantine/core';
import type { EditorView } from 'prosemirror-view';
import { Suspense, useState } from 'react';
import { t } from '../languages/translate.ts';
import { Dialog } from '../shared/dialogs.tsx';
import { Icon } from '../shared/icons.tsx';
import { lazy } from '../shared/lazy.tsx';
import { figureNode } from './paste.ts';

const FileBrowser = lazy(async () => ({ default: (await import('../files/file-browser.tsx')).FileBrowser }));

/** Inserts an image of the library, which can be uploaded there. */
export function ImageTool({
  view,
  isOpen,
  onOpen,
}: {
  view: EditorView | null;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
}) {
  const [isRefused, setIsRefused] = useState(false);
  if (view && !view.state.schema.nodes.figure) return null;
  return (
    <>
      <Tooltip label={t('Image')}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('Image')}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onOpen(true)}
        >
          <Icon name="files" size={16} />
        </ActionIcon>
      </Tooltip>
      {isOpen && view && (
        <Dialog
          title={t('Insert an image')}
          size="xl"
          onClose={() => {
            onOpen(false);
            setIsRefused(false);
          }}
        >
          {isRefused && <p role="alert">{t('Choose an image. Other files can be linked.')}</p>}
          <Suspense>
            <FileBrowser
              isPicker
              onSelect={(file) => {
                const node = file.type === 'image' ? figureNode(view, file) : undefined;
                setIsRefused(!node);
                if (!node) return;
                onOpen(false);
                view.dispatch(view.state.tr.replaceSelectionWith(node).scrollIntoView());
                setTimeout(() => view.focus());
              }}
            />
          </Suspense>
        </Dialog>
      )}
    </>
  );
}
