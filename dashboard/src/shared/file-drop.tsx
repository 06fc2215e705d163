import { Box, Button } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { Icon } from './icons.tsx';
import { Empty } from './states.tsx';

interface FileDropProps {
  title: string;
  /** What a screen reader calls the input. */
  label: string;
  /** As `accept` of an input has it. */
  accept: string;
  onChoose: (file: File) => void;
  /** What the file should be like. */
  children: ReactNode;
}

/** Where one file is dropped or chosen. */
export function FileDrop({ title, label, accept, onChoose, children }: FileDropProps) {
  const picker = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const take = (files: FileList | null) => {
    const [file] = [...(files ?? [])];
    if (file) onChoose(file);
  };
  return (
    <Box
      className="drop-zone"
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
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
          // The same file may be chosen again.
          event.currentTarget.value = '';
        }}
      />
      <Empty
        icon="upload"
        title={title}
        action={
          <Button leftSection={<Icon name="upload" size={16} />} onClick={() => picker.current?.click()}>
            Choose a file
          </Button>
        }
      >
        {children}
      </Empty>
    </Box>
  );
}

/** What a table of texts comes as. */
export const CSV_FILES = '.csv,.tsv,.txt,text/csv';
