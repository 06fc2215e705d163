import type { Room } from '../shared/deps.ts';

export const filesRoom: Room = () => [];
