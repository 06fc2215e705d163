/** What inspecting an image or a video finds out about it. */
export interface MediaInfo {
  mediaType: string;
  /** Pixels as displayed, rotation applied. */
  width: number;
  height: number;
  /** Of a video that states it. */
  durationSeconds: number | null;
  /** Of a video. */
  codec: string | null;
  /** Whether an image has more than one frame. */
  animated: boolean;
}
