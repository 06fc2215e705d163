import { Box, Button } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { t } from '../languages/translate.ts';
import { Icon } from './icons.tsx';
import { EmptyState } from './states.tsx';

interface FileDropProps {
  title: string;
  /** The accessible name of the input. */
  label: string;
  /** The `accept` attribute of the input. */
  accept: string;
  onChoose: (file: File) => void;
  /** What the file should contain. */
  children: ReactNode;
}

/** Accepts one file by drag and drop or by the file dialog. */
export function FileDrop({ title, label, accept, onChoose, children }: FileDropProps) {
  const picker = useRef<HTMLInputElement>(null);
  const [isDraggedOver, setIsDraggedOver] = useState(false);
  const take = (files: FileList | null) => {
    const [file] = [...(files ?? [])];
    if (file) onChoose(file);
  };
  return (
    <Box
      className="drop-zone"
      data-over={isDraggedOver}
      onDragOver={(event) => {
        event.preventDefault();
        setIsDraggedOver(true);
      }}
      onDragLeave={() => setIsDraggedOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsDraggedOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <input
        ref={picker}
        type="file"
        accept={accept}
        hidden
        aria-label={label}
        onChange={(event) => {
          take(event.currentTarget.files);
          // Allows choosing the same file again.
          event.currentTarget.value = '';
        }}
      />
      <EmptyState
        icon="upload"
        title={title}
        action={
          <Button leftSection={<Icon name="upload" size={16} />} onClick={() => picker.current?.click()}>
            {t('Choose file')}
          </Button>
        }
      >
        {children}
      </EmptyState>
    </Box>
  );
}

/** File types of CSV files. */
export const CSV_FILES = '.csv,.tsv,.txt,text/csv';
