import type { Room } from '../shared/deps.ts';

export const contentRoom: Room = () => [];
