// Chooses among the widths in which Stoa serves an uploaded picture. Pure.

const WIDTHS = [320, 800, 1600] as const;
const MIDDLE = 800;
/** Address of an uploaded file: store, environment and id. */
const MEDIA = /\/media\/[^/?#]+\/(?:production|sandbox)\/[^/?#.]+$/;

export interface PictureSource {
  readonly src: string;
  readonly srcset?: string;
  readonly sizes?: string;
}

/** A picture that lies elsewhere has its own address alone. `sizes` is the attribute's text. */
export const sourceOf = (url: string, sizes: string): PictureSource => {
  if (!MEDIA.test(url)) return { src: url };
  const srcset = WIDTHS.map((width) => `${url}/${width}.webp ${width}w`).join(', ');
  return { src: `${url}/${MIDDLE}.webp`, srcset, sizes };
};
