import type { Room } from '../shared/deps.ts';

export { AssetValue } from './contract.ts';
export { findAssets } from './find-assets.ts';

export const filesRoom: Room = () => [];
