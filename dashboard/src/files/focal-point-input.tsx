import type { FileWithUses } from '@headwater/sdk';
import { Box, Text } from '@mantine/core';
import type { KeyboardEvent, MouseEvent } from 'react';
import { t } from '../languages/translate.ts';
import { formatPercent } from '../shared/formats.ts';

/** Shares of the width and height, 0 to 1. */
export interface FocalPoint {
  x: number;
  y: number;
}

const STEP = 0.05;
const MOVES: Record<string, [number, number]> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};
const clamp = (share: number) => Math.round(Math.min(1, Math.max(0, share)) * 1_000) / 1_000;

interface FocalPointInputProps {
  file: FileWithUses;
  value: FocalPoint | null;
  onChange: (point: FocalPoint) => void;
}

/** The image with the point that crops keep visible, set by a click or the arrow keys. */
export function FocalPointInput({ file, value, onChange }: FocalPointInputProps) {
  const { x, y } = value ?? { x: 0.5, y: 0.5 };
  const onClick = (event: MouseEvent<HTMLElement>) => {
    // A click by keyboard has no position.
    if (event.detail === 0) return;
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    onChange({ x: clamp((event.clientX - left) / width), y: clamp((event.clientY - top) / height) });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const move = MOVES[event.key];
    if (!move) return;
    event.preventDefault();
    onChange({ x: clamp(x + move[0]), y: clamp(y + move[1]) });
  };
  const position = value
    ? t('{x} from the left, {y} from the top', { x: formatPercent(x), y: formatPercent(y) })
    : t('not set');
  return (
    <div>
      <Box className="checkered" style={{ borderRadius: 8, textAlign: 'center', overflow: 'hidden' }}>
        <button
          type="button"
          onClick={onClick}
          onKeyDown={onKeyDown}
          aria-label={t('Focal point: {position}. Use the arrow keys to move it.', { position })}
          style={{
            position: 'relative',
            display: 'inline-block',
            padding: 0,
            border: 0,
            background: 'none',
            cursor: 'crosshair',
            maxWidth: '100%',
          }}
        >
          <img src={file.url} alt={file.alt ?? ''} style={{ display: 'block', maxWidth: '100%', maxHeight: 360 }} />
          {value && (
            <span
              style={{
                position: 'absolute',
                left: `${x * 100}%`,
                top: `${y * 100}%`,
                width: 22,
                height: 22,
                margin: -11,
                borderRadius: '50%',
                border: '2px solid #fff',
                boxShadow: '0 0 0 1.5px #0008, inset 0 0 0 1.5px #0008',
              }}
            />
          )}
        </button>
      </Box>
      <Text size="xs" c="dimmed" mt={4}>
        {t('Click the point that crops should keep visible.')}
      </Text>
    </div>
  );
}
