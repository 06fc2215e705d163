/** A minimal EXIF block that holds only the orientation. */
export function orientationExif(orientation: number): Buffer {
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex');
  tiff.writeUInt16BE(orientation, 18);
  return tiff;
}
