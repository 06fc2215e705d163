/** The `accept` attribute by file type. The service detects the type from the content. */
export const ACCEPTED = {
  file: '',
  image: 'image/jpeg,image/png,image/gif,image/webp,image/avif,image/svg+xml',
  video: 'video/mp4,video/quicktime,video/webm',
};
