import sharp from 'sharp';

// No file is opened twice, and a cache would keep deleted files open.
sharp.cache(false);
// libvips reads many more formats, through less maintained parsers.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif'].map((name) => `VipsForeignLoad${name}`),
});

export { default as sharp, type Sharp } from 'sharp';
