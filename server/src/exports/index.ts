import type { Room } from '../shared/deps.ts';

export const exportsRoom: Room = () => [];
