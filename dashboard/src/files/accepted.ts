/** What may be chosen, by kind; the service tells it by the bytes. */
export const ACCEPTED = {
  image: 'image/jpeg,image/png,image/gif,image/webp,image/avif,image/svg+xml',
  video: 'video/mp4,video/quicktime,video/webm',
};
