/** What is known of a file once its parser has read it. */
export interface Media {
  mediaType: string;
  /** Pixels as shown, rotation applied. */
  width: number;
  height: number;
  /** Of a film that says it. */
  durationSeconds: number | null;
  /** Of a film. */
  codec: string | null;
  /** Of a picture: it has more than one frame. */
  animated: boolean;
}
